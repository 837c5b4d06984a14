/* Nor is it there as a string. */
BEGIN
{
	trace($$1);
}
