/* The number of parameters is fixed. */
static int f(int a, ...)
{
	return a;
}
BEGIN
{
}
