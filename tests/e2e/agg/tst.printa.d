/* flags: -q */
BEGIN
{
	@a["x", 1] = sum(3);
	@a["y", 2] = sum(2);
	printa(@a);
	printa("%-4s|%3d|%@5d\n", @a);
	printa("%s %@d %@d\n", @a);
	printa("only the first key %s\n", @a);
	@shown_at_the_end = count();
	exit(0);
}
