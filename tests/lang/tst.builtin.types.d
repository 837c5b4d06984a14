/* flags: -q
 * The sizes of what is built in. */
BEGIN
{
	printf("%d %d %d %d\n", sizeof(pid), sizeof(ppid), sizeof(tid),
	    sizeof(uid));
	printf("%d %d %d %d\n", sizeof(timestamp), sizeof(vtimestamp),
	    sizeof(walltimestamp), sizeof(arg0));
	printf("%d %d %d %d\n", sizeof(id), sizeof(epid), sizeof(ipl),
	    sizeof(errno));
	printf("%d %d %d\n", sizeof(stackdepth), sizeof(caller),
	    sizeof(ucaller));
	printf("%d %d %d\n", sizeof(execname), sizeof(probefunc), sizeof(cwd));
	printf("%d %d\n", sizeof(curthread), sizeof(curpsinfo));
	exit(0);
}
