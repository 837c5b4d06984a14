/* One aggregation, one lower bound. */
BEGIN
{
	@ = lquantize(arg0, 0, 10);
	@ = lquantize(arg0, 1, 10);
}
