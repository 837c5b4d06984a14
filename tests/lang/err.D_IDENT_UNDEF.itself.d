/* X has no value yet. */
BEGIN
{
	x = x + 1;
}
