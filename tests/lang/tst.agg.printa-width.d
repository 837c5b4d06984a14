/* A width may be a key. */
/* flags: -q */
BEGIN
{
	@[5, "x"] = sum(1);
	printa("[%*s] %@d\n", @);
	exit(0);
}
