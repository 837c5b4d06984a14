/* A condition is a number or an address. */
BEGIN
{
	while ("text")
		x++;
}
