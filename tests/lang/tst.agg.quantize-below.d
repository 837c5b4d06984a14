/* Negative values have buckets of their own. */
/* flags: -q */
BEGIN
{
	@ = quantize(-1);
	@ = quantize(-5);
	@ = quantize(5);
	exit(0);
}
