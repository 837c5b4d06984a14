/* A constant number of steps. */
BEGIN
{
	@ = llquantize(arg0, 10, 0, 6, pid);
}
