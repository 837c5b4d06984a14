/* flags: -q
 * The time of a firing is one; that of the wall is later than this test. */
BEGIN
{
	this->t = timestamp;
	n = lltostr(timestamp);
	printf("%d %d %d\n", timestamp == this->t, n == lltostr(this->t),
	    walltimestamp > 1600000000000000000);
}

BEGIN
{
	printf("%d %d\n", timestamp == this->t, vtimestamp <= timestamp);
	t = timestamp;
}

END
{
	printf("%d\n", timestamp > t);
}

BEGIN
{
	exit(0);
}
