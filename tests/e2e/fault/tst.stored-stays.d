/* What was stored before the fault stays. */
/* flags: -q */
int zero;

BEGIN
{
	x = 7;
	@ = count();
	trace(1 / zero);
}

BEGIN
{
	printf("x is %d\n", x);
	exit(0);
}
