/* Nor is less. */
BEGIN
{
	tracemem(curthread, -1);
}
