/* Strings cannot be multiplied. */
BEGIN
{
	trace(execname * 2);
}
