/* Only an aggregating function can be assigned. */
BEGIN
{
	@a = 1;
}
