#pragma D option quiet

/* A body is a scope: a tag that it defines hides one from around it. */
struct tag {
	char c;
	union tag {
		int i;
		long l;
	} u;
	struct inner {
		short s;
	} in;
};
struct tag t;
struct inner seen;	/* behind the body the name is there, as in C */

struct other {
	struct tag *outer;
	struct inner {
		char c[3];
	} in;
};
struct inner still;

/* At file scope a new definition hides it for good. */
union inner {
	long l[4];
};
union inner u;

/* In C another kind of type has the name. */
union task_struct {
	char c;
};
union task_struct mine;

BEGIN
{
	t.u.l = 1234567890123;
	t.in.s = 5;
	printf("%d %d %d %d\n", sizeof (struct tag), sizeof (t.u), t.u.l,
	    t.in.s);
	printf("%d %d %d\n", sizeof (struct other), sizeof (seen),
	    sizeof (still));
	printf("%d %d %d\n", sizeof (union inner), sizeof (u), sizeof (mine));
	printf("%d\n", sizeof (struct task_struct) > 1000);
	exit(0);
}
