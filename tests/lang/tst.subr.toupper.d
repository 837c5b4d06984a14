/* flags: -q
 * Letters of ASCII; other bytes stay. */
BEGIN
{
	printf("%s %s\n", toupper("Hello, World 1"), toupper(""));
	printf("%s\n", toupper(strjoin("a", "z")));
	exit(0);
}
