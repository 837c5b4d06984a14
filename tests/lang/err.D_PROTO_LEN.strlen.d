/* Strlen() takes one argument. */
BEGIN
{
	trace(strlen());
}
