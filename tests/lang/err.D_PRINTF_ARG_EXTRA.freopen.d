/* Too much is given. */
BEGIN
{
	freopen("out", 1);
}
