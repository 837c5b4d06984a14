/* Character constants are ints, of up to eight characters; more than four take
 * a long. */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d\n", 'a', 'b' - 'a', '\n', '\0');
	printf("%d %d %d\n", '"', '\'', '\\');
	printf("%d %d\n", sizeof ('a') == sizeof (int), '\x41');
	printf("%d\n", '\7');
	printf("%d %d %d\n", sizeof ('abcd'), sizeof ('abcde'),
	    sizeof ('abcdefgh'));
	printf("%x %x\n", 'abcd', 'abcdefgh');
	exit(0);
}
