/* The least stability that is asked for. */
#pragma D option amin=Stable/Stable/Common
BEGIN
{
	trace(curthread);
}
