/* The divisor is an integer. */
BEGIN
{
	@a = count();
	normalize(@a, "x");
}
