/* One step in each magnitude, unless the program says how many; the first use decides. */
#pragma D option quiet
BEGIN
{
	@ = llquantize(0, 10, 0, 3);
	@ = llquantize(1, 10, 0, 3);
	@ = llquantize(9, 10, 0, 3, 1);
	@ = llquantize(10, 10, 0, 3);
	@ = llquantize(10000, 10, 0, 3, 1, 2);
	exit(0);
}
