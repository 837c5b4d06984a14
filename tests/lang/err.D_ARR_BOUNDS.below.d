/* Before the start of an array. */
int a[4];
BEGIN
{
	trace(a[-1]);
}
