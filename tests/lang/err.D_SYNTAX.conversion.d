/* No such conversion. */
BEGIN
{
	printf("%q", 1);
}
