/* The size of a string is a number. */
BEGIN
{
	ustack(5, "long");
}
