/* * takes an integer. */
BEGIN
{
	printf("%*d", "a", 1);
}
