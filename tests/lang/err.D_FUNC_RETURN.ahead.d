/* A function that is wrong is told of once, also when an assignment further on
 * calls it. */
BEGIN
/x/
{
}
END
{
	x = f(1);
}
static int f(int a)
{
	return "text";
}
