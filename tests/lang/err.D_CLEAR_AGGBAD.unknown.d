/* No such aggregation. */
BEGIN
{
	clear(@nosuch);
}
