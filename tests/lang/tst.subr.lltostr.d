/* flags: -q
 * Numbers as text: base 8 and 16 with a prefix, all but 10 without a sign. */
BEGIN
{
	printf("%s %s %s\n", lltostr(0), lltostr(-42), lltostr(1234567890123));
	printf("%s %s %s\n", lltostr(8, 8), lltostr(0, 8), lltostr(255, 16));
	printf("%s %s %s\n", lltostr(10, 2), lltostr(35, 36), lltostr(0, 16));
	printf("%s\n", lltostr(-1, 16));
	exit(0);
}
