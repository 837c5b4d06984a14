/* Only negative counts: bars to the left. */
/* flags: -q */
BEGIN
{
	@ = quantize(1, -1);
	@ = quantize(2, -3);
	exit(0);
}
