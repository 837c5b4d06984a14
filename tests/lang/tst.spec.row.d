/* speculate() with nothing else speculates the row of the default action;
 * behind it, what records nothing has no row. */
BEGIN { s = speculation(); }
BEGIN { speculate(s); }
BEGIN { speculate(s); x = 1; }
BEGIN { speculate(s); trace("spoken"); }
BEGIN { commit(s); }
BEGIN { discard(0); }
END { }
BEGIN { exit(0); }
