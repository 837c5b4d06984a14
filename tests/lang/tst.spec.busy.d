/* flags: -q
 * One that has ended is not free before it has been cleaned. */
BEGIN { a = speculation(); }
BEGIN { commit(a); b = speculation(); }
BEGIN { printf("%d %d\n", a, b); exit(0); }
