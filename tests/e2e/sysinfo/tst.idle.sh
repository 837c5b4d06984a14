# A CPU goes to its idle thread, and then idlethread fires, in that thread: scripts take
# what on-cpu left for another thread's otherwise.  A machine may be busy for long.
$DTRACE -qn '
sched:::on-cpu { who[cpu] = pid; n[cpu] = pid == 0; }
sysinfo:::idlethread
{
	printf("%s\n", pid == 0 && who[cpu] == 0 && n[cpu] ? "in turn" : "out of turn");
	exit(0);
}'
