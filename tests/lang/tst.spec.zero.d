/* flags: -q
 * Id 0 may be given to all three: speculate() ends the clause there. */
int x;
BEGIN { x = 1; speculate(0); printf("nowhere\n"); x = 5; }
BEGIN { commit(0); x++; }
BEGIN { discard(0); x++; }
BEGIN { printf("%d\n", x); exit(0); }
