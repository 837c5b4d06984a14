/* A clause does not return. */
BEGIN
{
	return 0;
}
