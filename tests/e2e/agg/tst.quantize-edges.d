/* flags: -q */
BEGIN
{
	@[1] = quantize(9223372036854775807);
	@[1] = quantize(4611686018427387904);
	exit(0);
}
