/* %s takes a string. */
BEGIN
{
	printf("%s", arg0);
}
