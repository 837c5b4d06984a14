/* normalize() divides what is shown; bars stay; denormalize() undoes it. */
/* flags: -q */
BEGIN
{
	@s["x"] = sum(1000);
	@q = quantize(4, 30);
	@q = quantize(8, 10);
	normalize(@s, 10);
	normalize(@q, 10);
	printa(@s);
	printa(@q);
	denormalize(@s);
	printa("%s %@d\n", @s);
	exit(0);
}
