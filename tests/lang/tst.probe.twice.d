/* flags: -q */
/* A clause runs once for each of its descriptions that the probe matches. */
int n;

BEGIN, dtrace:::BEGIN, B*N, END
{
	printf("%s %d\n", probename, ++n);
}

BEGIN
{
	exit(0);
}
