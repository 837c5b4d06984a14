/* A pragma that says nothing at all. */
BEGIN
{
	exit(0);
}
#pragma
