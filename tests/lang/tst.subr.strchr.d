/* flags: -q
 * From the first such byte; a NUL is found at the end. */
BEGIN
{
	printf("[%s] [%s]\n", strchr("hello", 'l'), strchr("hello", '\0'));
	printf("%d\n", strchr("hello", 'x') == NULL);
	exit(0);
}
