/* Sums may be negative; 2^63 - 1 + 1 goes around. */
/* flags: -q */
BEGIN
{
	@s = sum(5);
	@s = sum(-8);
	@big = sum(0x7fffffffffffffff);
	@big = sum(1);
	exit(0);
}
