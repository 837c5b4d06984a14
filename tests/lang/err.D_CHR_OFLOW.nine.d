/* Eight characters fit a number. */
BEGIN
{
	trace('abcdefghi');
}
