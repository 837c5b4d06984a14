/* flags: -q */
BEGIN
{
	@ = llquantize(0, 10, 0, 2, 10);
	@ = llquantize(5, 10, 0, 2, 10);
	@ = llquantize(10, 10, 0, 2, 10);
	@ = llquantize(19, 10, 0, 2, 10);
	@ = llquantize(20, 10, 0, 2, 10);
	exit(0);
}
