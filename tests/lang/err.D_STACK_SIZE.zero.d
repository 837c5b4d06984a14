/* A stack has at least one frame. */
BEGIN
{
	stack(0);
}
