/* More conversions than keys. */
BEGIN
{
	@a[pid] = count();
	printa("%d %s %@d\n", @a);
}
