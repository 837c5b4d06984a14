/* Nor is an aggregation. */
BEGIN
{
	@a = count(); tracemem(@a, 4);
}
