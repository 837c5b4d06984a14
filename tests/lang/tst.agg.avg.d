/* The average, toward zero. */
/* flags: -q */
BEGIN
{
	@a = avg(1);
	@a = avg(2);
	@n = avg(-1);
	@n = avg(-2);
	@e = avg(7);
	clear(@e);
	exit(0);
}
