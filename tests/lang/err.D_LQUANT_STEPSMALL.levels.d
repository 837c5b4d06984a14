/* Too many levels. */
BEGIN
{
	@ = lquantize(arg0, 0, 1000000, 10);
}
