/* flags: -q
 * The first place; -1 when there is none.  The start is clamped. */
BEGIN
{
	printf("%d %d\n", index("foobar", "bar"), index("foobar", "x"));
	printf("%d %d\n", index("foo", ""), index("", ""));
	printf("%d %d\n", index("banana", "an", 2), index("banana", "an", 4));
	printf("%d %d\n", index("foobar", "foo", -1), index("foo", "", 100));
	exit(0);
}
