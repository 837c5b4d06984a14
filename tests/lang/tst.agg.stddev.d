/* The standard deviation: the integer root of the variance. */
/* flags: -q */
BEGIN
{
	@s = stddev(100);
	@s = stddev(200);
	@s = stddev(300);
	@one = stddev(5);
	@neg = stddev(-1);
	@neg = stddev(1);
	exit(0);
}
