#pragma D option quiet

/* Variables, elements and members have addresses, and what is stored through one
 * is what the variable holds. */
int a[5];
struct s {
	int x;
	char c;
	struct {
		short k[3];
	} in;
} g;
int n;

BEGIN
{
	a[1] = 11;
	a[2] = 22;
	p = &a[1];
	printf("%d %d %d\n", *p, p[1], p[-1]);
	*p = 5;
	p[1] = 6;
	printf("%d %d\n", a[1], a[2]);
	q = &n;
	*q = 77;
	n++;
	printf("%d %d\n", n, *q);
	this->i = 3;
	this->q = &this->i;
	*this->q = 9;
	this->c = &g.c;
	*this->c = 'x';
	this->k = &g.in.k[1];
	*this->k = -3;
	printf("%d %c %d\n", this->i, g.c, g.in.k[1]);
	printf("%d\n", &a[5] - &a[0]);
	for (p = &a[0]; p < &a[5]; p++)
		*p = 2 * (p - &a[0]);
	printf("%d %d %d\n", a[0], a[3], a[4]);
}

/* An address outlives the clause, and the firing of a global variable. */
BEGIN { *q = 5; p = &a[4]; printf("%d\n", n); }
BEGIN { p[1] = 1; printf("not here\n"); }
BEGIN { n = 5; a[n] = 1; printf("nor here\n"); }
BEGIN { n = -1; a[n] = 1; printf("nor here\n"); }
/* A variable that has an address is as wide as its type. */
BEGIN
{
	z = 0;
	r = &z;
	z = 0x100000002;
	printf("%d %d\n", z, *r);
	*r = -1;
	printf("%d\n", z);
}
BEGIN { exit(0); }
ERROR { printf("fault %d\n", arg4); }
