/* A stack cannot be found again in an associative array. */
BEGIN
{
	a[stack()] = 1;
}
