/* One more than 64 bits hold. */
BEGIN
{
	trace(18446744073709551616);
}
