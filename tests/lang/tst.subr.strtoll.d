/* flags: -q
 * Text as a number, up to the first byte that is no digit. */
BEGIN
{
	printf("%d %d %d\n", strtoll("12j"), strtoll(""), strtoll("  -7"));
	printf("%d %d %d\n", strtoll("0x20", 16), strtoll("ff", 16),
	    strtoll("101", 2));
	printf("%d %d %d\n", strtoll("0x1f"), strtoll("010"), strtoll("zz", 36));
	exit(0);
}
