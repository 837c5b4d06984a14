/* A constant magnitude. */
BEGIN
{
	@ = llquantize(arg0, 10, 0, pid, 20);
}
