/* flags: -q
 * This command descends from its parent, from the first process, and from
 * itself, but from no process of a number that cannot be. */
BEGIN
{
	printf("%d %d %d %d\n", progenyof(pid), progenyof(ppid), progenyof(1),
	    progenyof(0x7fffffff));
	exit(0);
}
