/* A parameter without a name cannot be used. */
static int f(int)
{
	return 1;
}
BEGIN
{
}
