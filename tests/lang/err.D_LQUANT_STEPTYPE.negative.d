/* Steps go upwards. */
BEGIN
{
	@ = lquantize(arg0, 0, 10, -1);
}
