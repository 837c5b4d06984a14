/* Constants have 16 bits. */
BEGIN
{
	@ = llquantize(arg0, 10, 123456, 123457, 10);
}
