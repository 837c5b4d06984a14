/* No such aggregation. */
BEGIN
{
	printa(@nosuch);
}
