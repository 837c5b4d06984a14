/* flags: -q
 * Hexadecimal and octal constants that only an unsigned int holds are one. */
BEGIN
{
	printf("%d %d\n", (int)-1 == 0xffffffff, (int)-1 == 4294967295);
	printf("%d %d\n", ~0x80000000, ~2147483648);
	printf("%d %d\n", -0x80000000, -020000000000);
	printf("%d %d %d\n", sizeof (0x7fffffff), sizeof (0xffffffff), sizeof (4294967295));
	printf("%d %d\n", sizeof (0x100000000), 0xffffffff + 1);
	exit(0);
}
