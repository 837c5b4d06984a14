/* Fewer arguments than conversions. */
BEGIN
{
	printf("%d %d", 1);
}
