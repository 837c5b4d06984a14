/* Keys of different types. */
BEGIN
{
	@a[pid] = count();
	@b[execname] = count();
	printa(@a, @b);
}
