/* A string is not a number. */
static int f(int a)
{
	return a;
}
BEGIN
{
	trace(f("one"));
}
