/* A string is no number. */
BEGIN
{
	trace(execname == 1);
}
