/* The program itself says no. */
#error not today
BEGIN
{
}
