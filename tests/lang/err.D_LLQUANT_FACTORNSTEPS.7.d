/* 7 does not divide 10. */
BEGIN
{
	@ = llquantize(arg0, 10, 0, 6, 7);
}
