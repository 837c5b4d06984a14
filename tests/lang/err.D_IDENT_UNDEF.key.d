/* No such variable. */
BEGIN
{
	@a[nosuch] = count();
}
