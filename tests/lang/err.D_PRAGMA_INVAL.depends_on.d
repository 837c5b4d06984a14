/* For libraries only. */
#pragma D depends_on provider dtrace
BEGIN
{
}
