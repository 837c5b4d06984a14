/* Rows show functions; what is no call shows its whole name. */
#pragma D option flowindent
BEGIN
{
	trace("hello");
	exit(0);
}
