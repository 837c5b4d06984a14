/* A histogram within a format begins on a line of its own. */
/* flags: -q */
BEGIN
{
	@[1] = quantize(4);
	printa("key %d%@dend\n", @);
	exit(0);
}
