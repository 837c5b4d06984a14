/* A symbol is no number. */
BEGIN
{
	printf("%d", sym(caller));
}
