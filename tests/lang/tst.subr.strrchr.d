/* flags: -q
 * From the last such byte. */
BEGIN
{
	printf("[%s] [%s]\n", strrchr("hello", 'l'), strrchr("/a/b/c", '/'));
	printf("%d\n", strrchr("hello", 'x') == NULL);
	exit(0);
}
