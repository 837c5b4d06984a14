/* flags: -q */
/* Integers of every width, of D's and C's names; typedefs; pointers. */
int8_t a; uint8_t b; short c; ushort_t d; int e; uint_t f;
long long g; unsigned long h;
char i;
typedef int number;
typedef number *where;
number n;
where p;
_Bool t;

BEGIN
{
	a = 200; b = 200;
	c = 40000; d = 40000;
	e = 3000000000; f = 3000000000;
	g = -1; h = -1;
	i = 'x';
	printf("%d %d %d %d %d %u %d\n", a, b, c, d, e, f, g);
	printf("%d %c\n", h == -1UL, i);
	n = 12;
	p = (where)NULL;
	printf("%d %d %d\n", n, p == NULL, sizeof (where));
	t = 5;
	printf("%d\n", t);
	exit(0);
}
