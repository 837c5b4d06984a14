#pragma D option quiet

/* Floating-point variables: of all scopes, converted as C does. */
float f;
double d;
self double mine;
this float late;
double table[string];
double three[3];
struct s {
	double d;
	float f;
	int i;
} g;
double half(int n) { return 0.5; }
int whole(double x) { return (int)x; }

BEGIN
{
	printf("%g %g %d\n", f, table["none"], (int)d);
	f = 1.5;
	d = f;
	printf("%f %g %e %d\n", f, d, d, (int)d);
	f = 3;
	d = -7;
	printf("%g %g\n", f, d);
	d = 1e300;
	f = d;
	printf("%g %g\n", d, f);
	d = 0.1;
	f = d;
	d = f;
	printf("%.20g %.9g\n", d, f);
	self->mine = 2.75;
	this->late = self->mine;
	printf("%g %g %d\n", self->mine, this->late,
	    (int)self->mine);
	table["x"] = 1e-5;
	printf("%g %g\n", table["x"], table["y"]);
	g.d = 12345;
	g.f = g.d;
	g.i = (int)g.f;
	three[2] = g.i;
	printf("%g %g %d %g\n", g.d, g.f, g.i, three[2]);
	big = 12345678901;
	d = big;
	printf("%f %d\n", d, (int64_t)d);
	d = (uint64_t)-1;
	printf("%g %x %d\n", d, (uint64_t)1e19, (int)-2.9);
	x = 2.5;
	trace(x);
	trace(" ");
	trace(f);
	printf(" %f\n", (double)(int)x);
	p = &d;
	*p = 9;
	printf("%g %d\n", d, (int)*p);
	printf("%g %d\n", half(1), whole(6.9));
	d = 0.3;
	f = 0;
	printf("%d %d %g\n", (_Bool)d, (_Bool)f, d = f = 0.25);
	exit(0);
}
