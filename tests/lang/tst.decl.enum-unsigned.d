/* flags: -q */
/* An enumerator whose value is written out may need an unsigned int. */
enum big {
	TOP = 1u << 31,
	ALL = 0xffffffff,
	NONE = 0
};

BEGIN
{
	printf("%x %x %d %d\n", TOP, ALL, NONE, sizeof (enum big));
	printf("%d %d\n", ALL > 0, (long)ALL == 4294967295);
	exit(0);
}
