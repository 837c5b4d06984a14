/* Without a format: a newline, then what would be printed at the end. */
/* flags: -q */
BEGIN
{
	@["a"] = sum(1);
	@["b"] = sum(2);
	printa(@);
	exit(0);
}
