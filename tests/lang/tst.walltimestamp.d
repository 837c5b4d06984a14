/* flags: -q
 * walltimestamp goes on within a clause; timestamp does not. */
BEGIN
{
	w = walltimestamp;
	t = timestamp;
	for (i = 0; i < 100; i++)
		;
	printf("%d %d\n", walltimestamp > w, timestamp == t);
	exit(0);
}
