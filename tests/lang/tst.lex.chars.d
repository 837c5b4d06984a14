/* flags: -q */
/* Character constants are ints; escapes; several characters. */
BEGIN
{
	printf("%d %d %d %d\n", 'a', ' ', '"', '\'');
	printf("%d %d %d %d\n", '\n', '\t', '\\', '\0');
	printf("%d %d %d\n", '\x41', '\101', '\377');
	printf("%d %d %d %d\n", '\a', '\b', '\f', '\v');
	printf("%c%c\n", 'o', 'k');
	printf("%d\n", 'ab' == 'ba');
	exit(0);
}
