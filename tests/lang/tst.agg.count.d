/* How often; each key apart. */
/* flags: -q */
BEGIN
{
	@["a"] = count();
	@["b"] = count();
	@["b"] = count();
	@total = count();
	exit(0);
}
