/* flags: -q
 * What was speculated appears where the commit stands, in its own order. */
BEGIN { s = speculation(); printf("id %d\n", s); }
BEGIN { speculate(s); printf("first\n"); }
BEGIN { printf("not speculated\n"); }
BEGIN { speculate(s); printf("second %s\n", "time"); }
BEGIN { printf("before\n"); }
BEGIN { commit(s); }
BEGIN { printf("after\n"); exit(0); }
