/* A variable has the name already. */
int f;
static int f(int a)
{
	return a;
}
BEGIN
{
}
