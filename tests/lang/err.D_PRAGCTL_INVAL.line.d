/* A line has a number. */
#line one
BEGIN
{
}
