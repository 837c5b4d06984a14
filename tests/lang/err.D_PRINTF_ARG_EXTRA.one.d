/* More arguments than conversions. */
BEGIN
{
	printf("%d", 1, 2);
}
