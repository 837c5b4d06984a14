/* flags: -q -x nspec=2
 * What no speculation has as its id, or one that is not in use, ends the clause
 * at speculate(), and is nothing to commit() and discard(). */
BEGIN { printf("not yet run\n"); n++; }
BEGIN { speculate(3); printf("not run\n"); n++; }
BEGIN { n++; if (n > 1) { speculate(-1); n++; } n++; }
BEGIN { for (this->i = 0; this->i < 5; this->i++) { n++; if (this->i == 2) speculate(2); } n++; }
BEGIN { commit(-1); n++; }
BEGIN { discard(1000000); n++; }
BEGIN { commit(2); n++; }
BEGIN { printf("%d\n", n); exit(0); }
ERROR { printf("action %d fault %d\n", arg2, arg4); }
