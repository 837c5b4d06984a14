/* At least 2. */
BEGIN
{
	@ = llquantize(arg0, 1, 0, 6, 20);
}
