/* An int has no members. */
int x;

BEGIN
{
	trace(x.a);
}
