/* flags: -q */
/* Structs, unions, arrays in them, bit-fields, anonymous members. */
struct point { int x, y; };
struct shape {
	char tag;
	struct point at[2];
	union { long all; int half[2]; };
	unsigned int low:3, high:5;
	int minus:4;
};
struct shape s;
self struct point p;

BEGIN
{
	s.tag = 'q';
	s.at[0].x = 1;
	s.at[1].y = 2;
	s.all = 0x500000007;
	s.low = 9;
	s.high = 31;
	s.minus = 15;
	printf("%c %d %d\n", s.tag, s.at[0].x, s.at[1].y);
	printf("%d %d\n", s.half[0], s.half[1]);
	printf("%d %d %d\n", s.low, s.high, s.minus);
	self->p = s.at[1];
	printf("%d %d\n", self->p.x, self->p.y);
	exit(0);
}
