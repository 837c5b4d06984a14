/* A constant upper bound. */
BEGIN
{
	@ = lquantize(arg0, 0, "a");
}
