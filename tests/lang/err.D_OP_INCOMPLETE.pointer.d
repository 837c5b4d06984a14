/* The size is not known. */
struct nosuch *p;
BEGIN
{
	trace(p + 1);
}
