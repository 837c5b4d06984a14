/* flags: -q */
/* Decimal, octal, hexadecimal, suffixes; the type is the first that fits. */
BEGIN
{
	printf("%d %d %d %d\n", 10, 010, 0x10, 0XfF);
	printf("%d %d %d\n", 10u, 10UL, 0x10ull);
	printf("%d %d %d\n", sizeof (1), sizeof (1L), sizeof (4294967296));
	printf("%u %d\n", 18446744073709551615, 9223372036854775807);
	printf("%d\n", -2147483648 < 2147483647);
	printf("%d\n", 00);
	exit(0);
}
