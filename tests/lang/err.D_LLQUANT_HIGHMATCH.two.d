/* One aggregation, one range. */
BEGIN
{
	@ = llquantize(arg0, 10, 0, 6, 20);
	@ = llquantize(arg0, 10, 0, 5, 20);
}
