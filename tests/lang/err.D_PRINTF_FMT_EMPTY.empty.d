/* A format says something. */
BEGIN
{
	printf("");
}
