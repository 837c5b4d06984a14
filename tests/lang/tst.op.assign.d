/* flags: -q */
/* Levels 15 and 16: from the right, compound, of every width; comma. */
int8_t tiny;
uint16_t small;

BEGIN
{
	a = b = c = 4;
	printf("%d %d %d\n", a, b, c);
	a += 3; a -= 1; a *= 5; a /= 4; a %= 4;
	printf("%d\n", a);
	b <<= 3; b >>= 1; b |= 1; b ^= 3; b &= ~16;
	printf("%d\n", b);
	tiny = 127;
	tiny++;
	small = 0;
	small--;
	printf("%d %d %d\n", tiny, small, tiny += 300);
	fresh += 2;
	other++;
	printf("%d %d\n", fresh, other);
	d = (a = 8, b = a + 1, b * 2);
	printf("%d %d %d\n", a, b, d);
	exit(0);
}
