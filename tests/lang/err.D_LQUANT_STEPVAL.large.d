/* 16 bits. */
BEGIN
{
	@ = lquantize(arg0, 0, 1000000, 65536);
}
