/* 32 bits. */
BEGIN
{
	@ = lquantize(arg0, -2147483649, 10);
}
