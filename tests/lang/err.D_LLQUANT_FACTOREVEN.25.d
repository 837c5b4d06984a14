/* 25 is no multiple of 10. */
BEGIN
{
	@ = llquantize(arg0, 10, 0, 6, 25);
}
