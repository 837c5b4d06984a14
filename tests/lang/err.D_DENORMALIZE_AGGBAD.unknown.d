/* No such aggregation. */
BEGIN
{
	denormalize(@nosuch);
}
