/* Keys that strsize would make one. */
#pragma D option strsize=8

BEGIN
{
	@["abcdefg1"] = count();
	@["abcdefg2"] = count();
	exit(0);
}
