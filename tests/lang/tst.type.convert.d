/* The usual conversions: the wider type, and unsigned of two as wide. */
#pragma D option quiet

unsigned int u;
int i;
unsigned char c;

BEGIN
{
	u = 1;
	i = -1;
	c = 255;
	printf("%d %d %d\n", i > u, i > (int)u, c + 1 == 256);
	printf("%d %u\n", i + 0, i * u);
	printf("%d %d\n", (long)i < u, c == 255);
	printf("%d %d\n", -4 >> 1, ((unsigned long)-4) >> 1);
	exit(0);
}
