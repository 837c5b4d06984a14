/* The type of a number is the first that holds it. */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", 10, 010, 0x10);
	printf("%d %d %d\n", sizeof (2147483647), sizeof (2147483648),
	    sizeof (1L));
	printf("%d %d\n", sizeof (1U), sizeof (1ULL));
	printf("%u\n", 18446744073709551615);
	printf("%d %d\n", -1 < 1u == 0, 0xffffffff > 0);
	exit(0);
}
