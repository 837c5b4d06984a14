/* An empty range. */
BEGIN
{
	@ = lquantize(arg0, 10, 10);
}
