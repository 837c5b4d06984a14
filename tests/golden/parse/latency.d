#!/usr/sbin/dtrace -s
#pragma D option quiet
#pragma D option switchrate=10hz

self int fd;
this uint64_t took;
inline int SLOW_NS = 1000 * 1000;

dtrace:::BEGIN
{
	printf("%-12s %6s %s\n", "CALL", "US", "NAME");
}

syscall::read:entry,
syscall::write:entry
/execname == $1/
{
	self->fd = arg0;
	self->start[probefunc] = timestamp;
}

syscall::read:return,
syscall::write:return
/self->start[probefunc]/
{
	this->took = timestamp - self->start[probefunc];
	@took[execname, probefunc] = quantize(this->took / 1000);
	@total = sum(this->took);
	@slow[fds[self->fd].fi_pathname] = count();
	printf("%-12s %6d %s\n", probefunc, this->took / 1000,
	    errno == 0 ? "ok" : strjoin("errno ", lltostr(errno)));
	self->start[probefunc] = 0;
}

tick-$2s
{
	normalize(@total, 1000000);
	printa("%-16s %-8s %@d\n", @took);
	trunc(@slow, 10);
	exit(0);
}
