/* flags: -q -x nspec=3
 * Each speculation is its own; they appear in the order of their commits. */
BEGIN { a = speculation(); b = speculation(); c = speculation(); }
BEGIN { printf("%d %d %d\n", a, b, c); }
BEGIN { speculate(a); printf("a1\n"); }
BEGIN { speculate(b); printf("b1\n"); }
BEGIN { speculate(c); printf("c1\n"); }
BEGIN { speculate(a); printf("a2\n"); }
BEGIN { speculate(b); printf("b2\n"); }
BEGIN { commit(b); }
BEGIN { discard(c); }
BEGIN { commit(a); }
BEGIN { exit(0); }
