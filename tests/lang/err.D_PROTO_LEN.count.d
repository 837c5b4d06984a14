/* Count() takes no argument. */
BEGIN
{
	@ = count(1);
}
