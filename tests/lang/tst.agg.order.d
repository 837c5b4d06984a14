/* By value, then by key; numbers as numbers. */
/* flags: -q */
BEGIN
{
	@[10] = sum(1);
	@[9] = sum(1);
	@[-1] = sum(2);
	@[3] = sum(0);
	exit(0);
}
