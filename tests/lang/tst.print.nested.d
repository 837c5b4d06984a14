/* Each level is four blanks further in. */
/* flags: -q */
struct a {
	struct {
		struct c {
			int d;
			struct { short f; } e[2];
		} c;
	} b;
} a;
BEGIN
{
	a.b.c.d = 1;
	a.b.c.e[1].f = 2;
	print(a);
	exit(0);
}
