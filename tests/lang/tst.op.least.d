/* flags: -q
 * What the machine traps at when the compiler divides: -2^63 by -1, constant. */
BEGIN
{
	printf("%d\n", (-9223372036854775807L - 1) / -1);
	printf("%d\n", (-9223372036854775807L - 1) % -1);
	printf("%d\n", (-9223372036854775807L - 1) % -1L == 0 ? 1 : 2);
	printf("%d %d\n", (-2147483647 - 1) / -1, (-2147483647 - 1) % -1);
	exit(0);
}
