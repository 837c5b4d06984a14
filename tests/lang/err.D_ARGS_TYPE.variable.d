/* The index must be a constant. */
BEGIN
{
	trace(args[pid]);
}
