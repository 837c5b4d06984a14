/* %k prints stacks only. */
BEGIN
{
	printf("%k", caller);
}
