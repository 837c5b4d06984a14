/* Known, but not built yet. */
BEGIN
{
	stack();
}
