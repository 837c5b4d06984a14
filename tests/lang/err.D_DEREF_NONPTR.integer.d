/* Pid is no pointer. */
BEGIN
{
	trace(*pid);
}
