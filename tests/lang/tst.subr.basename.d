/* flags: -q
 * As basename(3). */
BEGIN
{
	printf("%s %s %s\n", basename("/foo/bar/baz"), basename("baz"),
	    basename("/foo/bar///baz/"));
	printf("%s %s [%s]\n", basename("/foo/bar/baz/."), basename("//"),
	    basename(""));
	exit(0);
}
