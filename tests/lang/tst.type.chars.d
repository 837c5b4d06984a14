/* Character constants are ints, of up to eight characters. */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d\n", 'a', 'b' - 'a', '\n', '\0');
	printf("%d %d %d\n", '"', '\'', '\\');
	printf("%d %d\n", sizeof ('a') == sizeof (int), '\x41');
	printf("%d\n", '\7');
	exit(0);
}
