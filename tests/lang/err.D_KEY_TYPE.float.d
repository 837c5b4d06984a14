/* A floating-point value is no key. */
BEGIN
{
	@[1.5] = count();
}
