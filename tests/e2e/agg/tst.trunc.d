/* flags: -q */
BEGIN
{
	@top["a"] = sum(1); @top["b"] = sum(2); @top["c"] = sum(3);
	@low["a"] = sum(1); @low["b"] = sum(2); @low["c"] = sum(3);
	@none["a"] = sum(1);
	@zero["a"] = sum(1);
	trunc(@top, 2);
	trunc(@low, -2);
	trunc(@none);
	trunc(@zero, 0);
	exit(0);
}
