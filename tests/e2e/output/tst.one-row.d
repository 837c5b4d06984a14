/* Everything that one firing of a clause records stands in one row. */
BEGIN
{
	printf("one");
	trace("two");
	printf(" three");
	exit(0);
}
