/* Only an aggregating function can be assigned. */
BEGIN
{
	@a = strlen("x");
}
