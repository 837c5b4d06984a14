/* The smallest and the largest. */
/* flags: -q */
BEGIN
{
	@lo = min(3);
	@lo = min(-7);
	@lo = min(9);
	@hi = max(3);
	@hi = max(-7);
	@hi = max(9);
	@below = max(-5);
	@below = max(-6);
	exit(0);
}
