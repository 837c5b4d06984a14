/* flags: -q -x loopmax=10 */
/* Ten turns are fine, eleven are not, and what was recorded is gone. */
int n;

BEGIN
{
	for (i = 0; i < 10; i++)
		n++;
	printf("%d\n", n);
}

BEGIN
{
	printf("discarded");
	for (i = 0; i < 11; i++)
		n++;
	printf("not reached");
}

BEGIN
{
	printf("%d\n", n);
	for (i = 0; i < 10; i++)
		for (j = 0; j < 10; j++)
			n++;
	printf("%d\n", n);
	exit(0);
}

ERROR
{
	printf("fault %d of action %d\n", arg4, arg2);
}
