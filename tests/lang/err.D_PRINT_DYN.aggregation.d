/* printa() is for aggregations. */
BEGIN
{
	@a = count();
	print(@a);
}
