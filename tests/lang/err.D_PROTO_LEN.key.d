/* The number of keys is fixed. */
BEGIN
{
	a[1] = 1;
	a[1, 2] = 1;
}
