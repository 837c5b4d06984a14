/* A constant magnitude. */
BEGIN
{
	@ = llquantize(arg0, 10, pid, 6, 20);
}
