/* flags: -q */
BEGIN
{
	@["sizes"] = quantize(8);
	printa("%s:%@d.\n", @);
	exit(0);
}
