/* The size of a string is not negative. */
BEGIN
{
	jstack(5, -1);
}
