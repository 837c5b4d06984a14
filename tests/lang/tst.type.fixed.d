/* Integers of a given width, at their limits. */
#pragma D option quiet

int8_t a; uint8_t ua;
int16_t b; uint16_t ub;
int32_t c; uint32_t uc;
int64_t d; uint64_t ud;

BEGIN
{
	a = 127; ua = -1;
	printf("%d %d %d\n", a, (int8_t)(a + 1), ua);
	b = 32767; ub = -1;
	printf("%d %d %d\n", b, (int16_t)(b + 1), ub);
	c = 2147483647; uc = -1;
	printf("%d %d %u\n", c, (int32_t)(c + 1), uc);
	d = 9223372036854775807; ud = -1;
	printf("%d %u\n", d, ud);
	exit(0);
}
