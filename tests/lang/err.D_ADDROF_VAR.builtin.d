/* Nor has a built-in one. */
BEGIN
{
	trace(&pid);
}
