/* 32 bits. */
BEGIN
{
	@ = lquantize(arg0, 0, 2147483648);
}
