/* Nothing to print. */
BEGIN
{
	print((void)1);
}
