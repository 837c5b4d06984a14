/* flags: -q */
/* As in C: through members and elements, to any depth. */
struct in { char c; int i[3]; struct { long l; short s[2]; } d[4]; };
struct out { char n; struct in a, b[5]; union { int x; char y[8]; }; char open[]; };

inline int BASE = 1;

BEGIN
{
	printf("%d %d\n", offsetof(struct in, i[2]), offsetof(struct in, d[3].s[1]));
	printf("%d %d %d\n", offsetof(struct out, a), offsetof(struct out, a.c),
	    offsetof(struct out, a.i[1]));
	printf("%d %d\n", offsetof(struct out, b[2].d[1].l),
	    offsetof(struct out, b[BASE + 1].d));
	printf("%d %d\n", offsetof(struct out, y[3]), offsetof(struct out, x));
	printf("%d %d\n", offsetof(struct out, open[7]),
	    offsetof(struct out, b[5]));

	/* A subscript goes both ways. */
	this->p = (int *)alloca(16);
	this->i = 3;
	2[this->p] = 7;
	this->i[this->p] = 8;
	printf("%d %d %d\n", this->p[2], 1[this->p + 1], this->p[3]);
	exit(0);
}
