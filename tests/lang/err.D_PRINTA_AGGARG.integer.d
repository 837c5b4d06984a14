/* Printa() takes an aggregation. */
BEGIN
{
	printa(1);
}
