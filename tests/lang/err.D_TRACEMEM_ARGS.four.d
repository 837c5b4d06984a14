/* Three are the most. */
BEGIN
{
	tracemem(curthread, 8, 4, 2);
}
