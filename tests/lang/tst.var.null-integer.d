/* flags: -q
 * NULL goes to integers, too, wherever they are. */
int x;
self uint8_t y;
struct { long l; } s;
long same(long v) { return v; }
BEGIN
{
	x = 5; x = NULL;
	self->y = 6; self->y = NULL;
	s.l = 7; s.l = NULL;
	z = 8; z = NULL; a[1] = 9; a[1] = NULL;
	printf("%d %d %d %d %d %d %d\n", x, self->y, s.l, z, a[1], same(NULL), x == NULL);
	exit(0);
}
