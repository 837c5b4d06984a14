/* Uuidstr() takes nothing. */
BEGIN
{
	trace(uuidstr(4));
}
