/* In a row; what printa() has shown is not shown at the end. */
BEGIN
{
	@["a"] = sum(1);
	printa("%s=%@d", @);
	exit(0);
}
