/* flags: -q
 * One string behind the other. */
BEGIN
{
	printf("[%s] [%s] [%s]\n", strjoin("foo", "bar"), strjoin("", "x"),
	    strjoin("x", ""));
	printf("[%s]\n", strjoin(strjoin("a", "-"), strjoin("b", "-")));
	exit(0);
}
