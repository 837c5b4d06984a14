/* flags: -q
 * status: 7
 * Behind the last element of the only variable nothing can be stored. */
struct s {
	int a[4];
};
struct s g;

BEGIN
{
	g.a[3] = 7;
	printf("%d\n", g.a[3]);
}

BEGIN
{
	*&g.a[4] = 1;
	printf("not reached\n");
}

ERROR
{
	printf("fault %d\n", arg4);
}

BEGIN
{
	exit(g.a[3]);
}
