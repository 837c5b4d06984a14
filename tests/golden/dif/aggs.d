BEGIN
{
	@ = count();
	@b[probefunc, execname] = sum(arg0);
	@q[(char)1, pid] = quantize(arg1, 2);
	@l = lquantize(arg1, 0, 100, 10);
	@ll = llquantize(arg1, 10, 0, 3, 20);
}
BEGIN { printa("%s %@d", @b); clear(@b); trunc(@b, 5); normalize(@q, 1000); }
