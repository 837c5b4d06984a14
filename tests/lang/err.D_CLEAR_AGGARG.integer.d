/* Clear() takes an aggregation. */
BEGIN
{
	clear(1);
}
