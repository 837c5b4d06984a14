/* A program may have namespaces of its own. */
#pragma D option quiet

namespace a {
	int n;
	inline int ONE = 1;
	struct s { int m; };

	BEGIN
	{
		n = ONE;
		this->a = n;	/* a variable, not the namespace */
	}
}

struct a.s v;
struct { int b; } x;

BEGIN
{
	a.n += a.ONE + this->a;
	v.m = 40;
	x.b = 2;
	printf("%d %d\n", a.n, v.m + x.b);
	exit(0);
}
