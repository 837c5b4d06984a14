/* The size must be known when the record is laid out. */
BEGIN
{
	tracemem(curthread, pid);
}
