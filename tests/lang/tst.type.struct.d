/* Structs: padding, copies, members of members. */
#pragma D option quiet

struct inner { char c; int i; };
struct outer { short s; struct inner in; long l; };

struct outer a;
struct outer b;
struct outer many[string];

BEGIN
{
	printf("%d %d\n", sizeof (struct outer), sizeof (struct inner));
	a.s = 1;
	a.in.i = 2;
	a.l = 3;
	b = a;
	printf("%d %d %d\n", b.s, b.in.i, b.l);
	b.in.c = 9;
	printf("%d %d %d %d\n", a.s, a.in.i, a.l, b.in.c);
	a.in.i = 5;
	many["x"] = a;
	printf("%d\n", many["x"].in.i);
	exit(0);
}
