#!/usr/sbin/dtrace -s
/* flags: -c "$WORKLOAD read:2:100 write:1:7 write:1:9 close:1"
 *
 * Each read and write: who, which way, how much, and which file.
 */

#pragma D option quiet
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
	printf("%5s %-12s %1s %7s %s\n", "UID", "CMD", "D", "BYTES", "FILE");
}

syscall::*read:entry,
syscall::*write:entry
/pid == $target && pid != $pid/
{
	self->fd = arg0;
}

syscall::*read:return,
syscall::*write:return
/self->fd/
{
	this->dir = substr(probefunc, strlen(probefunc) - 4) == "read" ? "R" :
	    "W";
	this->file = fds[self->fd].fi_pathname;
	this->filep = this->file != "" ? this->file : "<unknown>";

	printf("%5d %-12.12s %1s %7d %s\n", uid, execname, this->dir,
	    (int)arg0, this->filep);
	self->fd = 0;
}
