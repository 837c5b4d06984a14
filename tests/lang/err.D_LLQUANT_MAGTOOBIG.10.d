/* 10 to the 101st is no number of 64 bits. */
BEGIN
{
	@ = llquantize(arg0, 10, 0, 100, 10);
}
