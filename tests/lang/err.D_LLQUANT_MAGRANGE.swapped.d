/* An empty range. */
BEGIN
{
	@ = llquantize(arg0, 10, 6, 0, 20);
}
