/* flags: -q
 * What has no name is printed as it is: keys and arguments that are strings, four bytes,
 * and ports. */
BEGIN
{
	printf("[%I] [%-8I] [%I] [%I] [%6P]\n", "no address", probename, 0x0100007f,
	    strjoin("1.2", ".3"), 7777);
	@["no address", 7777] = count();
	exit(0);
}

END
{
	printa("%-12I %P %@d\n", @);
}
