/* flags: -q
 * Associative arrays have keys of any number and type; what is not there is
 * 0, and storing 0 removes it. */
int64_t one[int];
BEGIN { one[-1] = 10; one[0] = 11; one[2147483647] = 12; }
BEGIN { printf("%d %d %d %d\n", one[-1], one[0], one[1], one[2147483647]); }
BEGIN { many["x", 1, 'c'] = 1; many["x", 2, 'c'] = 2; many["xx", 1, 'c'] = 3; }
BEGIN { printf("%d %d %d %d\n", many["x", 1, 'c'], many["x", 2, 'c'],
	many["xx", 1, 'c'], many["x", 1, 'd']); }
BEGIN { many["x", 2, 'c'] = 0; many["x", 1, 'c']--; }
BEGIN { printf("%d %d %d\n", many["x", 1, 'c'], many["x", 2, 'c'],
	many["xx", 1, 'c']); exit(0); }
