/* flags: -q
 * The last place that is not behind the start. */
BEGIN
{
	printf("%d %d\n", rindex("foofoo", "foo"), rindex("foobar", "x"));
	printf("%d %d\n", rindex("foo", ""), rindex("banana", "an", 2));
	printf("%d %d\n", rindex("foofoo", "foo", 2), rindex("foo", "f", -1));
	exit(0);
}
