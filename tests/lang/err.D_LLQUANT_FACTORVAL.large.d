/* Constants have 16 bits. */
BEGIN
{
	@ = llquantize(arg0, 65537, 0, 1, 65537);
}
