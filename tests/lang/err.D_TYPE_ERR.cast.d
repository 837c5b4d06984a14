/* No such type. */
BEGIN
{
	trace((nosuch_t *)arg0);
}
