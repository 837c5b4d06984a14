/* One aggregation, one upper bound. */
BEGIN
{
	@ = lquantize(arg0, 0, 10);
	@ = lquantize(arg0, 0, 11);
}
