/* There is no such name. */
#pragma D attributes Stable/Stable/Common nosuch
BEGIN
{
}
