/* Zoomed, the largest has all columns, or 95 of 100 when some are negative. */
/* flags: -q -x agghist -x aggzoom */
BEGIN
{
	@a[1] = sum(4);
	@a[2] = sum(1);
	@b[1] = sum(4);
	@b[2] = sum(-1);
	exit(0);
}
