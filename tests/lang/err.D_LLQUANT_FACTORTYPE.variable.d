/* A constant factor. */
BEGIN
{
	@ = llquantize(arg0, pid, 0, 6, 20);
}
