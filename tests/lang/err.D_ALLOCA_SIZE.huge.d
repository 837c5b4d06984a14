/* More than any option gives. */
BEGIN
{
	alloca(1048577);
}
