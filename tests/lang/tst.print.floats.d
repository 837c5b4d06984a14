/* Floating point, with the digits that the type has room for. */
/* flags: -q */
BEGIN
{
	print(1.5);
	print(0.25f);
	print(1.25L);
	exit(0);
}
