/* Not given, the number of steps is 1. */
BEGIN
{
	@ = llquantize(arg0, 10, 0, 6);
	@ = llquantize(arg0, 10, 0, 6, 20);
}
