/* flags: -q -x aggpack -x encoding=ascii
 * Columns stay in line with keys of any width. */
BEGIN
{
	@q["a", 1] = quantize(1);
	@q["a string of some width", 1234567] = quantize(4);
	@q["a string of some width", 12] = quantize(2);
	@l["another string of some width"] = lquantize(3, 0, 5);
	@l["x"] = lquantize(9, 0, 5);
	@far["caf\303\251 at the end"] = quantize(1);
	@far["\346\227\245\346\234\254 and a"] = quantize(2);
	@far["o\314\210 over another"] = quantize(4);
	@narrow[1] = quantize(1);
	exit(0);
}
