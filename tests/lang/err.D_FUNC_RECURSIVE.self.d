/* A function that calls itself. */
static int fact(int n)
{
	return n < 2 ? 1 : n * fact(n - 1);
}
BEGIN
{
	trace(fact(5));
}
