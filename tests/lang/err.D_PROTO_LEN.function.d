/* One argument is missing. */
static int f(int a, int b)
{
	return a + b;
}
BEGIN
{
	trace(f(1));
}
