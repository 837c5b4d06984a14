/* A function records nothing. */
static int f(int a)
{
	trace(a);
	return a;
}
BEGIN
{
	f(1);
}
