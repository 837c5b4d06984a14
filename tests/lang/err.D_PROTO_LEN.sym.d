/* Sym() takes an address. */
BEGIN
{
	sym();
}
