/* Clear() takes an argument. */
BEGIN
{
	clear();
}
