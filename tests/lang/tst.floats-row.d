/* They have columns as wide as integers of their size. */
BEGIN
{
	trace(1.5);
	trace(2.25f);
	exit(0);
}
