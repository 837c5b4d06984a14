/* flags: -q */
BEGIN
{
	@sum = sum(9223372036854775807);
	@min = min(-9223372036854775807);
	@max = max(9223372036854775807);
	@avg = avg(4611686018427387904);
	@stddev = stddev(-3000000000); @stddev = stddev(3000000000);
	exit(0);
}
