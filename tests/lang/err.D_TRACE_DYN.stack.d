/* A stack is not a value that can be traced. */
BEGIN
{
	trace(stack());
}
