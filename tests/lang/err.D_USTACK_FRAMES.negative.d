/* A stack has at least one frame. */
BEGIN
{
	ustack(-1);
}
