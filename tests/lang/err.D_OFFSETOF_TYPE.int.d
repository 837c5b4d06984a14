/* An int has no members. */
BEGIN
{
	trace(offsetof(int, x));
}
