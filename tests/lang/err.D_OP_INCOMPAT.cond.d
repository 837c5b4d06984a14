/* The arms of ?: differ. */
BEGIN
{
	trace(pid ? 1 : "a");
}
