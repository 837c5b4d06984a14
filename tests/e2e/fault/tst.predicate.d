/* flags: -q */
BEGIN
/ *(int *)8 /
{
	printf("not reached\n");
}

BEGIN
{
	exit(0);
}
