/* flags: -q
 * Constants that strsize cuts: said once, cut where they are stored; keys that
 * differ before that are two.  Formats are no strings. */
#pragma D option strsize=8

BEGIN
{
	s = "abcdefghi";
	printf("a format is not cut: [%s] [%s]\n", s, "zyxwvutsrq");
	printf("%d %d %d\n", strlen("abcdefghi"), strlen(s),
	    strlen("1234567"));
	@["abcdefg1"] = count();
	@["abcdefX2"] = count();
	@["abcdefg1"] = count();
	exit(0);
}
