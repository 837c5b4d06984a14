/* The assignment further on makes it a string. */
BEGIN
/x == 1/
{
}
END
{
	x = execname;
}
