/* A floating-point number is no address. */
BEGIN
{
	trace((char *)1.5);
}
