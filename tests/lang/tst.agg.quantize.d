/* Powers of two; the rows reach from before the first to after the last. */
/* flags: -q */
BEGIN
{
	@ = quantize(0);
	@ = quantize(1);
	@ = quantize(3);
	@ = quantize(3);
	@ = quantize(16);
	exit(0);
}
