/* A format alone prints nothing. */
BEGIN
{
	printa("%@d");
}
