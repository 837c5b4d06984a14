/* A string is text. */
BEGIN
{
	copyoutstr(1, 0, 2);
}
