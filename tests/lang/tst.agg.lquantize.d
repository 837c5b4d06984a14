/* Steps of one size, with what is below and above. */
/* flags: -q */
BEGIN
{
	@ = lquantize(-1, 0, 10, 2);
	@ = lquantize(0, 0, 10, 2);
	@ = lquantize(3, 0, 10, 2);
	@ = lquantize(3, 0, 10, 2);
	@ = lquantize(10, 0, 10, 2);
	exit(0);
}
