/* flags: -q
 * Enabled probes are numbered in the order of the program's clauses. */
BEGIN
{
	printf("%d\n", epid);
}

BEGIN
{
	*(char *)NULL;
}

ERROR
{
	printf("%d: enabling %d, fault %d\n", epid, arg1, arg4);
}

BEGIN, END
{
	printf("%d\n", epid);
	exit(0);
}
