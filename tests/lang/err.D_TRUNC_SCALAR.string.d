/* The number is an integer. */
BEGIN
{
	@a = count();
	trunc(@a, "x");
}
