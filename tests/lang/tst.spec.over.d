/* flags: -q
 * What is speculated for one that has ended goes nowhere, and to end it
 * once more does nothing. */
BEGIN { s = speculation(); }
BEGIN { speculate(s); printf("in time\n"); }
BEGIN { commit(s); }
BEGIN { speculate(s); printf("too late\n"); }
BEGIN { commit(s); }
BEGIN { discard(s); }
BEGIN { printf("end\n"); exit(0); }
