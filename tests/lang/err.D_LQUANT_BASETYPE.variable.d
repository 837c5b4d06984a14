/* A constant lower bound. */
BEGIN
{
	@ = lquantize(arg0, pid, 10);
}
