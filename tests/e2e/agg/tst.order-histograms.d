/* By the sum of bucket times count. */
/* flags: -q */
BEGIN
{
	@["many small"] = quantize(1, 10);
	@["one big"] = quantize(64);
	@["none"] = quantize(0);
	exit(0);
}
