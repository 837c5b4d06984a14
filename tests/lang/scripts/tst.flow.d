#!/usr/sbin/dtrace -s
/* flags: -c "$WORKLOAD getppid:1 vfork:2:2 close:1"
 *
 * The system calls of a process and of its children, indented by how many are
 * under way.
 */

#pragma D option quiet
#pragma D option switchrate=10

dtrace:::BEGIN
{
	depth = 0;
	printf("%5s %-8s %s\n", "DEPTH", "WHO", "CALL");
}

syscall::getppid:entry, syscall::clone:entry, syscall::close:entry
/progenyof($target)/
{
	printf("%5d %-8s %*s-> %s\n", depth,
	    pid == $target ? "parent" : "child", depth * 2, "", probefunc);
	depth++;
	self->in = 1;
}

syscall::getppid:return, syscall::clone:return, syscall::close:return
/self->in/
{
	depth--;
	printf("%5d %-8s %*s<- %s%s\n", depth,
	    pid == $target ? "parent" : "child", depth * 2, "", probefunc,
	    errno ? " failed" : "");
	self->in = 0;
}
