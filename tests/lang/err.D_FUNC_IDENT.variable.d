/* Pid cannot be called. */
BEGIN
{
	pid();
}
