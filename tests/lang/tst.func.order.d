/* flags: -q */
/* Arguments are evaluated once, and only when the call is made. */
int calls;

static int
note(int v)
{
	calls++;
	return v;
}

static int
twice(int v)
{
	return v + v;
}

BEGIN
{
	trace(note(0) && note(1));
	trace(note(1) || note(1));
	trace(note(0) ? note(1) : note(2));
	printf("\n%d\n", calls);
	i = 1;
	printf("%d %d\n", twice(i++), i);
	printf("%d\n", twice(twice(twice(1))));
	exit(0);
}
