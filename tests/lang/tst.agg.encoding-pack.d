/* Packed histograms in UTF-8. */
/* flags: -q -x encoding=utf8 -x aggpack */
BEGIN
{
	@[1] = quantize(1, 1);
	@[1] = quantize(2, 1);
	@[1] = quantize(4, 4);
	exit(0);
}
