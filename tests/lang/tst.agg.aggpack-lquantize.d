/* All of a linear range. */
/* flags: -q -x aggpack */
BEGIN
{
	@["a"] = lquantize(3, 0, 5);
	@["b"] = lquantize(9, 0, 5);
	@["b"] = lquantize(0, 0, 5);
	exit(0);
}
