/* flags: -F
 * What clears also has a row, with -F too; normal rows and nothing else. */
BEGIN
{
	@["k"] = sum(5);
	printa("%s %@d", @);
}

BEGIN
{
	clear(@);
	exit(0);
}
