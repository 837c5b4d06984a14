/* A size is needed. */
BEGIN
{
	tracemem(curthread);
}
