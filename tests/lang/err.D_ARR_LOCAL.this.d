/* No clause-local associative arrays. */
BEGIN
{
	this->a[1] = 1;
}
