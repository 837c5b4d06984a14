/* Keys end before, at and behind where brief ones do; each is one key, whichever
 * way it came. */
/* flags: -q */
BEGIN
{
	x = "0123456789012345678901234567890";
	@s["0123456789012345678901234567890"] = sum(1);
	@s[x] = sum(10);
	@s["01234567890123456789012345678901"] = sum(2);
	@s[strjoin(x, "1")] = sum(20);
	@s["012345678901234567890123456789012"] = sum(3);
	@s[strjoin(x, "12")] = sum(30);
	@s[""] = sum(4);
	@s["012345678901234567890123456789"] = sum(5);
	@two[x, 1, "a"] = sum(6);
	@two[x, 1, strjoin(x, "1")] = sum(7);
	@two[strjoin(x, "1"), 1, x] = sum(8);
	@two[x, 1, x] = sum(9);
	@two[x, 2, x] = sum(10);
	@two[strjoin(x, "1"), 1, x] = sum(80);
	@max["b"] = max(-5);
	@max[strjoin(x, x)] = max(-6);
	@max["b"] = max(-7);
}

BEGIN
{
	exit(0);
}

END
{
	printa("%s %@d\n", @s);
	printa("%s %d %s %@d\n", @two);
	printa("%s %@d\n", @max);
}
