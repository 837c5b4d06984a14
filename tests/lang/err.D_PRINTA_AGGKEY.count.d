/* Keys of several are of the same number. */
BEGIN
{
	@a[pid] = count();
	@b[pid, tid] = count();
	printa(@a, @b);
}
