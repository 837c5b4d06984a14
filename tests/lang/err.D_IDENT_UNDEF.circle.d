/* Each takes its type from the other: neither has one. */
BEGIN
{
	x = y;
}
END
{
	y = x;
}
