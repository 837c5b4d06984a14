/* One aggregation, one factor. */
BEGIN
{
	@ = llquantize(arg0, 10, 0, 6, 20);
	@ = llquantize(arg0, 20, 0, 6, 20);
}
