/* flags: -q
 * Strings in hexadecimal: as much as a string takes. */
#pragma D option rawbytes
#pragma D option strsize=20

BEGIN
{
	trace("text");
	s = strjoin("te", "xt");
	trace(s);
	trace(probename);
	printf("%s\n", s);
	@[s] = count();
	exit(0);
}
