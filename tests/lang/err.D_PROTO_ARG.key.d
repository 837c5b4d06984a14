/* A key keeps its type. */
BEGIN
{
	a[1] = 1;
	a["x"] = 1;
}
