/* BEGIN has no typed arguments. */
BEGIN
{
	trace(args[0]);
}
