/* %@ is for printa(). */
BEGIN
{
	printf("%@d", 1);
}
