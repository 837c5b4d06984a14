/* flags: -q */
BEGIN
{
	trace(*(int *)0);
}

BEGIN
{
	printf("the next clause runs\n");
	exit(0);
}
