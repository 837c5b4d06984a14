/* A number of frames is a number. */
BEGIN
{
	stack("ten");
}
