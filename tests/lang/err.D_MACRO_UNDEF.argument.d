/* No argument was given. */
BEGIN
{
	trace($1);
}
