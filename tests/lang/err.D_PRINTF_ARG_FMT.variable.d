/* The format is a constant. */
BEGIN
{
	printf(execname);
}
