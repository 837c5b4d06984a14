/* 10^101 does not fit. */
BEGIN
{
	@ = llquantize(arg0, 10, 0, 100, 20);
}
