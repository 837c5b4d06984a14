/* Strings cannot be added. */
BEGIN
{
	trace("a" + "b");
}
