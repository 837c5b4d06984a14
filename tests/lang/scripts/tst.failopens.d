#!/usr/sbin/dtrace -s
/* flags: -c "$WORKLOAD open:40"
 *
 * What led to a failed open: all is recorded speculatively, and kept only when
 * the call fails.  One buffer will do for one thread.
 */

#pragma D option quiet
#pragma D option nspec=1

syscall::openat:entry
/pid == $target/
{
	self->spec = speculation();
	self->path = arg1;
	tries++;
}

syscall::openat:entry
/self->spec/
{
	/* this printf() has no effect unless the speculation is committed */
	speculate(self->spec);
	printf("%s: flags %#x", execname, arg2);
}

syscall::openat:return
/self->spec/
{
	speculate(self->spec);
	printf(", %s: errno %d\n", copyinstr(self->path), errno);
}

syscall::openat:return
/self->spec && errno != 0/
{
	commit(self->spec);
	self->spec = 0;
	failed++;
}

syscall::openat:return
/self->spec && errno == 0/
{
	discard(self->spec);
	self->spec = 0;
	good++;
}

dtrace:::END
{
	printf("%d tries, %d good, %d failed\n", tries, good, failed);
}
