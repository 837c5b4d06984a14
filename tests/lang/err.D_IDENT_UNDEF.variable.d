/* No such variable. */
BEGIN
{
	trace(nosuch);
}
