/* A stack has no value to be kept in a variable. */
BEGIN
{
	x = stack();
}
