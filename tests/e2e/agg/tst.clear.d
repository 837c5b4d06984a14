/* clear() keeps the keys. */
/* flags: -q */
BEGIN
{
	@c["x"] = count();
	@q["x"] = quantize(1);
	clear(@c);
	clear(@q);
	printa("%s %@d\n", @c);
	printa("%s%@d", @q);
	exit(0);
}
