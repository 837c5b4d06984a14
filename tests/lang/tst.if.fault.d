/* flags: -q */
/* A fault in an arm takes back what the clause recorded. */
BEGIN
{
	printf("gone\n");
	if (pid)
		trace(*(int *)0);
	printf("not reached\n");
}

BEGIN
{
	if (0)
		printf("not taken\n");
}

BEGIN
{
	printf("here\n");
	exit(0);
}
