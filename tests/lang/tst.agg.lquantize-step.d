/* The step is 1 unless given; rows at both ends are left out. */
/* flags: -q */
BEGIN
{
	@ = lquantize(5, 0, 10);
	@down = lquantize(-15, -20, -10, 5, 2);
	exit(0);
}
