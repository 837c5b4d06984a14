/* Printf() prints no aggregations. */
BEGIN
{
	@a = count();
	printf("%d", @a);
}
