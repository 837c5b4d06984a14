/* Something must follow. */
#pragma D
BEGIN
{
}
