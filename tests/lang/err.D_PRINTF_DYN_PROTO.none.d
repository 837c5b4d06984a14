/* * takes an argument. */
BEGIN
{
	printf("%*d");
}
