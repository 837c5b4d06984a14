/* A positive step. */
BEGIN
{
	@ = lquantize(arg0, 0, 10, 0);
}
