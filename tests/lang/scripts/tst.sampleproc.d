#!/usr/sbin/dtrace -s
/* flags: -c "$WORKLOAD -t 2 burn:1:600000"
 * args: 197
 *
 * Which threads of a process are on CPU, sampled $1 times a second, and where.
 */

#pragma D option quiet
#pragma D option defaultargs

dtrace:::BEGIN
{
	printf("Sampling at %d hertz...\n", $1);
	self->start = timestamp;
}

profile:::profile-$1
/pid == $target/
{
	@Threads[pid, execname, tid == pid ? "main" : "other"] = count();
	@User = sum(arg1 != 0);
	@Proc[pid] = count();
}

dtrace:::END
{
	printf("\n%-6s %-10s %-6s %s\n", "PID", "CMD", "THREAD", "SAMPLES");
	printa("%-6d %-10s %-6s %@d\n", @Threads);
	printf("%s\n", "in user mode");
	printa("%@d\n", @User);
	trunc(@Proc);
}
