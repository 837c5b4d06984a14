/* flags: -q -Z
 * With -Z a description may match nothing. */
nosuch:::, BEGIN
{
	printf("%s\n", probename);
	exit(0);
}

syscall::nosuch:entry
{
	exit(1);
}
