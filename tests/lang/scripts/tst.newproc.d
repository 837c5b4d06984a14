#!/usr/sbin/dtrace -s
/* flags: -c "/bin/sh -c '/bin/echo one two >/dev/null; exec /bin/true three'"
 *
 * The commands that a process starts, with their arguments.
 */

#pragma D option quiet
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
	printf("%-6s %-8s %s\n", "WHO", "CMD", "ARGS");
}

syscall::execve:return
/progenyof($target) && errno == 0/
{
	printf("%-6s %-8s %s\n", pid == $target ? "self" : "child",
	    stringof(curpsinfo->pr_fname), curpsinfo->pr_psargs);
}

syscall::exit_group:entry
/progenyof($target)/
{
	@exits[execname, (int)arg0] = count();
	self->name = execname;
}

dtrace:::END
{
	printf("\n%-8s %6s %s\n", "CMD", "STATUS", "COUNT");
	printa("%-8s %6d %@d\n", @exits);
}
