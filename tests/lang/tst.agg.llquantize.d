/* Linear steps within each power. */
/* flags: -q */
BEGIN
{
	@ = llquantize(0, 10, 0, 1, 10);
	@ = llquantize(1, 10, 0, 1, 10);
	@ = llquantize(9, 10, 0, 1, 10);
	@ = llquantize(25, 10, 0, 1, 10);
	@ = llquantize(100, 10, 0, 1, 10);
	exit(0);
}
