/* flags: -q
 * A path without detours, by its text alone.  A slash at the end stays. */
BEGIN
{
	printf("%s\n", cleanpath("/foo/bar///baz/"));
	printf("%s\n", cleanpath("/foo/./bar/../baz"));
	printf("%s\n", cleanpath("/foo/bar/baz/."));
	printf("%s %s [%s]\n", cleanpath("/../../"), cleanpath("/."),
	    cleanpath(""));
	printf("%s %s\n", cleanpath("foo/../bar"), cleanpath("../foo/../bar"));
	exit(0);
}
