/* Nothing is nothing to show. */
BEGIN
{
	tracemem(curthread, 0);
}
