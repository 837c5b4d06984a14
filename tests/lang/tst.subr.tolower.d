/* flags: -q
 * Letters of ASCII; other bytes stay. */
BEGIN
{
	printf("%s\n", tolower("Hello, [WORLD] 1"));
	printf("%d\n", tolower("LS") == "ls");
	exit(0);
}
