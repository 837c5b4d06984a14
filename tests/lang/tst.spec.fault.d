/* flags: -q
 * A fault takes the record of its clause along, speculated or not; a commit
 * before it stands. */
BEGIN { s = speculation(); zero = 0; }
BEGIN { speculate(s); printf("good\n"); }
BEGIN { speculate(s); printf("bad %d\n", 1 / zero); }
BEGIN { commit(s); x = 1 / zero; }
BEGIN { exit(0); }
ERROR { printf("fault %d in action %d\n", arg4, arg2); }
