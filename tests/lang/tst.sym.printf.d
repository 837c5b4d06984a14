/* flags: -q
 * %a adds where in the function the address is; %s takes a symbol as text. */
BEGIN
{
	printf("%a|%6a|%-6a|%s|%8s|\n", (uint64_t)1, (uint64_t)2, (uint64_t)3,
	    sym(4), mod(5));
	printf("%a\n", caller);
	printf("%a %s\n", sym(caller), mod(caller));
	exit(0);
}
