/* The format must be known beforehand. */
BEGIN
{
	system(execname);
}
