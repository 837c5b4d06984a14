/* flags: -q
 * ERROR may fail itself, which is only counted. */
ERROR
{
	trace(*(int *)arg5);
}

BEGIN
{
	trace(*(int *)8);
}

BEGIN
{
	exit(0);
}
