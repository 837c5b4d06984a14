/* Normalize() takes two arguments. */
BEGIN
{
	@a = count();
	normalize(@a);
}
