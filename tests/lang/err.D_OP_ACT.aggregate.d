/* Nor does it aggregate. */
static void f(int a)
{
	@ = sum(a);
}
BEGIN
{
	f(1);
}
