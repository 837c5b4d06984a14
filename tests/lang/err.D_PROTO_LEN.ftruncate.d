/* It knows of one file only. */
BEGIN
{
	ftruncate("out");
}
