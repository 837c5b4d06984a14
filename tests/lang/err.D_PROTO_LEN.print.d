/* One value at a time. */
BEGIN
{
	print(1, 2);
}
