/* A struct as key is its bytes, beside other keys; what it holds is copied. */
#pragma D option quiet
#pragma D option strsize=16

struct point { int x; int y; };
struct odd { char c[7]; };
union either { int i; char c[4]; };
struct named { string name; int n; };
struct point p, q;
struct odd o;
union either e;
struct named n;
int at[struct point];
self string what[int, struct odd, string];

BEGIN
{
	p.x = 1; p.y = -2;
	at[p] = 5;
	p.y = 2;
	at[p]++;
	at[p] += 10;
	printf("%d\n", at[p]);
	p.y = -2;
	printf("%d\n", at[p]);
	q = p;
	printf("%d\n", at[q]);
	q.x = 2;
	printf("%d\n", at[q]);
	at[q] = at[p] + 1;
	printf("%d %d\n", at[q], at[p]);
	at[p] = 0;
	printf("%d %d\n", at[q], at[p]);
}

BEGIN
{
	o.c[0] = 'a'; o.c[6] = 'z';
	self->what[1, o, "k"] = "first";
	o.c[6] = 'y';
	self->what[1, o, "k"] = "second";
	printf("%s [%s] [%s]\n", self->what[1, o, "k"],
	    self->what[2, o, "k"], self->what[1, o, "l"]);
	o.c[6] = 'z';
	printf("%s\n", self->what[1, o, "k"]);
	e.i = 7;
	kind[e] = "seven";
	e.c[0] = 8;
	printf("[%s]", kind[e]);
	e.i--;
	printf(" [%s]\n", kind[e]);
	n.name = strjoin("some", "thing");
	n.n = 1;
	by_name[n] = 4;
	n.name = "a longer name";
	n.name = "something";
	printf("%d", by_name[n]);
	n.n = 2;
	printf(" %d\n", by_name[n]);
	seen[curthread->se.avg, 1] = 3;
	exit(0);
}
