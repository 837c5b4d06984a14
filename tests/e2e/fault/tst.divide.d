/* flags: -q */
int zero;

BEGIN
{
	printf("not printed: the clause's record is discarded\n");
	trace(1 / zero);
}

BEGIN
{
	trace(1 % zero);
}

BEGIN
{
	exit(0);
}
