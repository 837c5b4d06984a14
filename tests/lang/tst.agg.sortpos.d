/* aggsortpos says which of several decides. */
/* flags: -q */
BEGIN
{
	@a["x"] = sum(1);
	@a["y"] = sum(2);
	@b["x"] = sum(9);
	@b["y"] = sum(8);
	printa("%s %@d %@d\n", @a, @b);
	setopt("aggsortpos", "1");
	printa("%s %@d %@d\n", @a, @b);
	setopt("aggsortrev");
	printa("%s %@d %@d\n", @a, @b);
	exit(0);
}
