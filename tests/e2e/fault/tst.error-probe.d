/* flags: -q */
int zero;

ERROR
{
	printf("epid %d action %d fault %d value 0x%x\n", arg1, arg2, arg4, arg5);
	@[probename] = count();
}

BEGIN
{
	trace(0);
	trace(*(int *)0x20);
}

BEGIN
{
	exit(zero);
}
