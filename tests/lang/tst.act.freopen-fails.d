/* A file that cannot be opened: that is said, and output stays where it is. */
/* flags: -qw */
BEGIN
{
	freopen("/nonexistent/%d", 7);
	printf("here\n");
	exit(0);
}
