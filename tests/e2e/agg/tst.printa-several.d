/* Keys are joined; what one lacks is 0; the first one orders. */
/* flags: -q */
BEGIN
{
	@a["x"] = sum(3);
	@a["y"] = sum(2);
	@b["y"] = sum(20);
	@b["z"] = sum(10);
	printa("%s %@d %@d\n", @a, @b);
	exit(0);
}
