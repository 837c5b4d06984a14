/* flags: -q
 * What is discarded is gone, and the rest is not touched. */
BEGIN { s = speculation(); }
BEGIN { speculate(s); printf("never seen\n"); trace(1); }
BEGIN { printf("seen\n"); }
BEGIN { discard(s); }
BEGIN { commit(s); }
BEGIN { exit(0); }
