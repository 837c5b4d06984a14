/* 30 divides no power of 10. */
BEGIN
{
	@ = llquantize(arg0, 10, 0, 6, 30);
}
