/* flags: -q */
BEGIN
{
	@[probeprov, probename] = count();
	@f[probefunc] = count();
	exit(0);
}

END
{
	@[probeprov, probename] = count();
	@f[probefunc] = count();
}
