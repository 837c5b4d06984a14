/* Void has no size. */
BEGIN
{
	trace((void *)arg0 + 1);
}
