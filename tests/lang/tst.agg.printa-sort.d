/* The options hold for several aggregations, too. */
/* flags: -q */
BEGIN
{
	@a["x", 2] = sum(1);
	@a["y", 1] = sum(2);
	@b["z", 3] = sum(5);
	setopt("aggsortkey");
	printa("%s %d %@d %@d\n", @a, @b);
	setopt("aggsortkeypos", "1");
	printa("%s %d %@d %@d\n", @a, @b);
	setopt("aggsortrev");
	printa("%s %d %@d %@d\n", @a, @b);
	exit(0);
}
