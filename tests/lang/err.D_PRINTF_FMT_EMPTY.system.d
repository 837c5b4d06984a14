/* There is nothing to run. */
BEGIN
{
	system("");
}
