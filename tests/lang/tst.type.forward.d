/* A struct may be known by name alone, and defined later. */
#pragma D option quiet

struct later;
struct later *p;
struct never *q;
struct later { int a; struct later *next; };
struct later x;

BEGIN
{
	x.a = 3;
	p = (struct later *)0;
	printf("%d %d\n", sizeof (p), sizeof (q));
	printf("%d\n", x.a);
	exit(0);
}
