/* A clause without statements tells that it ran; others tell what they record,
 * and one that records nothing is silent. */
BEGIN
{
}

BEGIN
{
	;
}

BEGIN
/1/;

BEGIN
/0/
{
}

BEGIN
{
	x = 1;
	@[x] = count();
}

BEGIN
{
	exit(0);
}

END
{
	clear(@);
	trunc(@);
}
