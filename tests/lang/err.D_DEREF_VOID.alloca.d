/* What is there must be said. */
BEGIN
{
	*alloca(8) = 1;
}
