/* flags: -q */
BEGIN
{
	@a["x"] = sum(1000);
	@a["y"] = sum(-999);
	normalize(@a, 10);
	printa("%s %@d\n", @a);
	denormalize(@a);
	printa("%s %@d\n", @a);
	normalize(@a, 3);
	exit(0);
}

END
{
	printa("%s %@d\n", @a);
}
