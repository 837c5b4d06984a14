/* A fraction is cut off by a cast alone. */
int x;
BEGIN
{
	x = 1.5;
}
