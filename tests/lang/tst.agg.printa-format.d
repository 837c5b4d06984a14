/* Keys and values take flags, widths and letters as in printf(). */
/* flags: -q */
BEGIN
{
	@["k", 7] = sum(255);
	printa("%s %03d %@d %@x %@#o %@8d|%-@8d|\n", @);
	printa("%@d %s %d\n", @);
	printa("%s only\n", @);
	printa("%% literal %@u%%\n", @);
	printa("%8@d|%@+d\n", @);
	exit(0);
}
