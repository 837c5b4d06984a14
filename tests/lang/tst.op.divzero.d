/* flags: -q */
/* Division by zero, seen only at run time, is a fault; -2^63 / -1 is not. */
int zero;

BEGIN
{
	least = -9223372036854775807L - 1;
	minus = -1L;
	printf("%d %d\n", least / minus == least, least % minus);
}

BEGIN
{
	trace(1 % zero);
}

ERROR
{
	printf("fault %d\n", arg4);
	exit(0);
}
