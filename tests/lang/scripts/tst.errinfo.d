#!/usr/sbin/dtrace -s
/* flags: -c "$WORKLOAD open:3 close:2 getppid:4 read:1:10"
 *
 * Which system calls failed, and why: a table of messages by number.
 */

#pragma D option quiet

dtrace:::BEGIN
{
	printf("%-12s %16s %4s  %5s  %s\n", "EXEC", "SYSCALL", "ERR", "COUNT",
	    "DESC");

	/* error descriptions from errno(3) */
	err[0]		= "Success";
	err[EPERM]	= "Not super-user";
	err[ENOENT]	= "No such file or directory";
	err[EINTR]	= "interrupted system call";
	err[EBADF]	= "Bad file number";
	err[EAGAIN]	= "Resource temporarily unavailable";
}

syscall:::return
/errno != 0 && pid == $target/
{
	this->errstr = err[errno] != NULL ? err[errno] : "(unknown)";
	@Errs[execname, probefunc, errno, this->errstr] = count();
}

dtrace:::END
{
	printa("%-12s %16s %4d  %@5d  %s\n", @Errs);
}
