/* flags: -q */
BEGIN
{
	@ = quantize(5, 3);
	@ = quantize(100, 5);
	exit(0);
}
