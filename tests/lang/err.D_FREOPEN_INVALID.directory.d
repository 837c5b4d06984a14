/* Output cannot go to a directory. */
BEGIN
{
	freopen(".");
}
