/* An associative array without keys. */
BEGIN
{
	a[1] = 1;
	trace(a);
}
