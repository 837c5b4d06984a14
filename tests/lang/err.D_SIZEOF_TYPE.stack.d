/* How large a stack is is nobody's business. */
BEGIN
{
	trace(sizeof (stack()));
}
