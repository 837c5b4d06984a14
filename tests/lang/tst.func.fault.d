/* flags: -q */
/* A fault in a function ends the clause that called it, and says its line. */
static int
ratio(int a, int b)
{
	int r = 0;

	r = a / b;
	return r;
}

BEGIN
{
	printf("not shown");
	trace(ratio(1, 0));
}

BEGIN
{
	printf("%d\n", ratio(7, 2));
	exit(0);
}

ERROR
{
	printf("action %d\n", arg2);
}
