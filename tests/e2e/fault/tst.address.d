/* flags: -q */
BEGIN
{
	trace(*(int *)0x10);
}

BEGIN
{
	printf("the next clause runs\n");
	exit(0);
}
