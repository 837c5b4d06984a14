/* A function is no value. */
BEGIN
{
	x = strlen;
}
