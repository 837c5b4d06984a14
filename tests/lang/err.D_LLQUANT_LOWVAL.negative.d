/* 0 to 65535. */
BEGIN
{
	@ = llquantize(arg0, 10, -1, 6, 20);
}
