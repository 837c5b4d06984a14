/* A length is a number. */
BEGIN
{
	tracemem(curthread, 8, execname);
}
