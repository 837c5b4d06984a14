/* No such aggregation. */
BEGIN
{
	normalize(@nosuch, 2);
}
