/* Nothing to trace. */
BEGIN
{
	trace((void)1);
}
