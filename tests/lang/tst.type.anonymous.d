/* Members of a struct or union without a name are those of the one around. */
#pragma D option quiet

struct tagged {
	int kind;
	union { int number; struct { short low; short high; }; };
	int last;
};

struct tagged t;

BEGIN
{
	t.number = 7;
	t.last = 9;
	printf("%d %d %d\n", t.number, t.low, t.last);
	printf("%d\n", sizeof (struct tagged));
	exit(0);
}
