/* The members of a union share their bytes; the lowest comes first. */
#pragma D option quiet

union word { uint32_t whole; uint8_t part[4]; struct { uint16_t a, b; } half; };
union wide { char c; long l; };

union word w;

BEGIN
{
	printf("%d %d\n", sizeof (union word), sizeof (w.part));
	w.whole = 0x04030201;
	printf("%d %d %d %d\n", w.part[0], w.part[1], w.part[2], w.part[3]);
	printf("%d\n", w.half.b);
	printf("%d %d\n", sizeof (union wide), offsetof(union wide, l));
	exit(0);
}
