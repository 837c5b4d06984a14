/* flags: -q */
BEGIN
{
	exit(0);
}

END
{
	printf("%s:%s:%s:%s\n", probeprov, probemod, probefunc, probename);
	@[probename] = count();
}
