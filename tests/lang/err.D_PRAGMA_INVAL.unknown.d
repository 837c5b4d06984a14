/* No such pragma. */
#pragma D nosuch
BEGIN
{
}
