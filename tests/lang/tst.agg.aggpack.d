/* Histograms in a line each, all over the same buckets. */
/* flags: -q -x aggpack */
BEGIN
{
	@[1] = quantize(1);
	@[2] = quantize(2);
	@[2] = quantize(4);
	@[2] = quantize(4);
	exit(0);
}
