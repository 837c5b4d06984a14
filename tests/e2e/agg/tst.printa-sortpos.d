/* flags: -q -x aggsortpos=1 */
BEGIN
{
	@a["x"] = sum(1);
	@a["y"] = sum(2);
	@b["x"] = sum(9);
	@b["y"] = sum(8);
	printa("%s %@d %@d\n", @a, @b);
	exit(0);
}
