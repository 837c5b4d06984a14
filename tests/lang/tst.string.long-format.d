/* flags: -q -x strsize=4 */
/* A format is not stored, so it may be longer than strsize without a warning. */
BEGIN
{
	printf("a long format: %s\n", "abc");
	@["abc"] = count();
	printa("another long one: %s %@d\n", @);
	exit(0);
}
