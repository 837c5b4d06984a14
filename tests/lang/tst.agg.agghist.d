/* Numbers as bars: shares of the whole. */
/* flags: -q -x agghist */
BEGIN
{
	@["cat"] = sum(3);
	@["ls"] = sum(1);
	exit(0);
}
