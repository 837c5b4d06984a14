/* flags: -q -x errtags
 * Whoever shifts by a number that no value has bits for is told. */
BEGIN
{
	x = 1;
	a = x << 64;
	a = x >> -1;
	x <<= 65;
	x = 1;
	printf("%x %x %d\n", x << 63, -1 >> 63, sizeof (x << 8 * sizeof (x)));
	exit(0);
}
