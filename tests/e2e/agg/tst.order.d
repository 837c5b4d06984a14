/* By value, then by keys from left to right; numbers as numbers. */
/* flags: -q */
BEGIN
{
	@["b", 10] = sum(1);
	@["b", 9] = sum(1);
	@["a", 100] = sum(1);
	@["c", -1] = sum(-1);
	@["d", 0] = sum(0);
	exit(0);
}
