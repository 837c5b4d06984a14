/* Strlen() takes a string. */
BEGIN
{
	trace(strlen(pid));
}
