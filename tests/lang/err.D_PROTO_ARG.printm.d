/* The size must be known when the record is laid out. */
BEGIN
{
	printm(pid, memref(curthread, 8));
}
