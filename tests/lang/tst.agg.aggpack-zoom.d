/* Zoomed, in proportion to the largest bucket of the key. */
/* flags: -q -x aggpack -x aggzoom */
BEGIN
{
	@[1] = quantize(1, 1);
	@[1] = quantize(2, 2);
	@[1] = quantize(4, 7);
	@[2] = quantize(8, 100);
	@[2] = quantize(16, -50);
	exit(0);
}
