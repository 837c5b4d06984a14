/* Bars in proportion to the largest bucket, which has 38 columns. */
/* flags: -q -x aggzoom */
BEGIN
{
	@ = quantize(1, 1);
	@ = quantize(2, 4);
	@ = quantize(4, 2);
	exit(0);
}
