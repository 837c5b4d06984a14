/* Without counts there are three rows. */
/* flags: -q */
BEGIN
{
	@ = lquantize(7, 0, 10, 5);
	clear(@);
	exit(0);
}
