/* Less than nothing. */
BEGIN
{
	alloca(-1);
}
