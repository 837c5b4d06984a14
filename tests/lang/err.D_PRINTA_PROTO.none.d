/* Printa() takes an aggregation. */
BEGIN
{
	printa();
}
