#!/usr/sbin/dtrace -s
/* flags: -c "$WORKLOAD write:3:100 write:2:5000 read:4:64 close:1"
 *
 * How much is read and written at once, by file: a histogram for each.
 */

#pragma D option quiet

dtrace:::BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

syscall::read:entry,
syscall::write:entry
/pid == $target/
{
	self->fd = arg0;
	self->file = fds[arg0].fi_pathname;
	self->ok = 1;
}

syscall::read:return,
syscall::write:return
/self->ok && arg0 != -1/
{
	@size[probefunc == "read" ? "R" : "W", self->file] = quantize(arg0);
	@total[self->file] = sum(arg0);
}

syscall::read:return,
syscall::write:return
/self->ok/
{
	self->ok = 0;
	self->fd = 0;
	self->file = 0;
}

dtrace:::END
{
	printa("%s %s\n%@d\n", @size);
	printf("%-20s %10s\n", "FILE", "BYTES");
	printa("%-20s %@10d\n", @total);
}
