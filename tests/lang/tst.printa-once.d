/*
 * A printa() that ran once ends the automatic print: clear(), trunc() and new
 * data do not bring it back.  @never has none that ran.
 */
#pragma D option quiet

BEGIN
{
	@cleared = count();
	@truncated[1] = count();
	@never = count();
	printa("cleared %@d\n", @cleared);
	printa("truncated %d: %@d\n", @truncated);
	clear(@cleared);
	trunc(@truncated);
}

BEGIN
/probename == "END"/
{
	printa("does not run %@d\n", @never);
}

tick-50ms
{
	@cleared = count();
	@truncated[2] = count();
	exit(0);
}
