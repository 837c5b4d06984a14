/* A string is no address. */
BEGIN
{
	tracemem("text", 4);
}
