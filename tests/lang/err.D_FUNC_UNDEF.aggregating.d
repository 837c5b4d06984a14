/* No such function. */
BEGIN
{
	@a = nosuch(1);
}
