/* flags: -q
 * As dirname(1). */
BEGIN
{
	printf("%s %s %s\n", dirname("/foo/bar/baz"), dirname("baz"),
	    dirname("/foo/bar///baz/"));
	printf("%s %s %s %s\n", dirname("/foo/bar/baz/."), dirname("/foo"),
	    dirname("//"), dirname(""));
	exit(0);
}
