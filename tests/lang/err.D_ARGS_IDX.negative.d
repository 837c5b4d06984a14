/* A negative index. */
BEGIN
{
	trace(args[-1]);
}
