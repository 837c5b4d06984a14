/* No such aggregation. */
BEGIN
{
	trunc(@nosuch);
}
