/* An aggregation alone does nothing. */
BEGIN
{
	@a;
}
