/* A number, not its text. */
BEGIN
{
	trace(htons("80"));
}
