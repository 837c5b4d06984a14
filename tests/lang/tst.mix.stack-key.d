/* flags: -q
 * A stack and a string are one key. */
BEGIN
{
	for (i = 0; i < 3; i++)
		@[stack(1), i < 2 ? "twice" : "once"] = count();
	exit(0);
}

END
{
	printa("%k%s %@d\n", @);
}
