/* Several without a format: all values behind the keys; no value is 0. */
/* flags: -q */
BEGIN
{
	@a["x"] = sum(3);
	@b["x"] = sum(4);
	@b["y"] = sum(5);
	printa(@a, @b);
	exit(0);
}
