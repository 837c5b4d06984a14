/* flags: -q
 * Id 0 may be given to all three; what it speculates goes nowhere, but
 * the statements run. */
int x;
BEGIN { speculate(0); printf("nowhere\n"); x = 5; }
BEGIN { commit(0); }
BEGIN { discard(0); }
BEGIN { printf("%d\n", x); exit(0); }
