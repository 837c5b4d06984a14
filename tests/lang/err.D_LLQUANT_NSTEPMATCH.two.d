/* One aggregation, one number of steps. */
BEGIN
{
	@ = llquantize(arg0, 10, 0, 6, 20);
	@ = llquantize(arg0, 10, 0, 6, 100);
}
