/* flags: -q */
BEGIN
{
	@ = quantize(0);
	@ = quantize(1);
	@ = quantize(2); @ = quantize(3);
	@ = quantize(16);
	@ = quantize(31); @ = quantize(31); @ = quantize(31);
	exit(0);
}
