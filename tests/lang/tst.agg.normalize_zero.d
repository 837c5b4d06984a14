/* normalize() by 0 divides nothing, and says so. */
/* flags: -q */
int seconds;
BEGIN
{
	@a = sum(1000);
	@b = sum(500);
	normalize(@a, 10);
	printa(@a);
	normalize(@a, seconds);
	printa("%@d\n", @a);
	normalize(@b, 0);
	printa("%@d\n", @b);
	exit(0);
}
