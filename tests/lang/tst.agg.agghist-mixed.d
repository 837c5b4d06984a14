/* Bars of both signs. */
/* flags: -q -x agghist */
BEGIN
{
	@[1] = sum(3);
	@[2] = sum(-1);
	exit(0);
}
