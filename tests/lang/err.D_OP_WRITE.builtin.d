/* Pid is read-only. */
BEGIN
{
	pid = 1;
}
