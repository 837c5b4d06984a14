/* Pid is no struct. */
BEGIN
{
	trace(pid.x);
}
