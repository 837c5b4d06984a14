/* The last of the aggregations stands for those that are missing. */
/* flags: -q */
BEGIN
{
	@a["k"] = sum(1);
	@b["k"] = sum(2);
	printa("%s %@d %@d %@d\n", @a, @b);
	printa("%s %@d\n", @a, @b);
	exit(0);
}
