/* 0 to 65535. */
BEGIN
{
	@ = llquantize(arg0, 10, 0, 6, 65537);
}
