/* flags: -q */
BEGIN
{
	@ = lquantize(-1, 0, 100, 10);
	@ = lquantize(0, 0, 100, 10);
	@ = lquantize(9, 0, 100, 10);
	@ = lquantize(10, 0, 100, 10);
	@ = lquantize(35, 0, 100, 10);
	@step1 = lquantize(2, 0, 4);
	@over = lquantize(95, 0, 100, 10);
	@over = lquantize(100, 0, 100, 10);
	@over = lquantize(12345, 0, 100, 10);
	exit(0);
}
