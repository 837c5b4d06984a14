/* Only a library depends on others. */
#pragma D depends_on library io

BEGIN
{
}
