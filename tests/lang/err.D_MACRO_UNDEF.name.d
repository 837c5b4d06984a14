/* No such macro variable. */
BEGIN
{
	trace($nosuch);
}
