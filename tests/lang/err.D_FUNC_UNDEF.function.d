/* No such function. */
BEGIN
{
	nosuch(1);
}
