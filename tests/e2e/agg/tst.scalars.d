/* flags: -q */
BEGIN
{
	@count = count(); @count = count(); @count = count();
	@sum = sum(-5); @sum = sum(15);
	@min = min(3); @min = min(-7); @min = min(0);
	@max = max(-3); @max = max(-7); @max = max(-4);
	@avg = avg(10); @avg = avg(15);
	@toward_zero = avg(-1); @toward_zero = avg(-2);
	@stddev = stddev(100); @stddev = stddev(200); @stddev = stddev(300);
	exit(0);
}
