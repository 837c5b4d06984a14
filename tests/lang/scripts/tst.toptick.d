#!/usr/sbin/dtrace -s
/* flags: -c "$WORKLOAD read:50:10 getppid:20 sleep:1:1000000000"
 * args: 1 2
 *
 * The most frequent calls, every so many seconds, so many times.
 * USAGE: toptick.d [interval] [count]
 */

#pragma D option quiet
#pragma D option defaultargs
#pragma D option switchrate=10hz

inline int TOP = 2;

dtrace:::BEGIN
{
	interval = $1 ? $1 : 5;
	counts = $2 ? $2 : -1;
	secs = interval;
	lines = 0;
	last = 0;
	printf("every %d s, %d times%s\n", interval, counts,
	    $3 == 0 ? "" : " and more");
}

syscall:::entry
/pid == $target/
{
	@calls[probefunc] = count();
	last = timestamp;
}

profile:::tick-1sec
{
	secs--;
}

/* print a report */
profile:::tick-1sec
/secs == 0/
{
	trunc(@calls, TOP);
	printf("%Y", walltimestamp);
	printf("%s\n", last && timestamp - last < 60000000000 ? "" : " stale");
	printa("%-16s %@8d\n", @calls);
	clear(@calls);
	secs = interval;
	counts--;
	lines++;
}

profile:::tick-1sec
/counts == 0/
{
	exit(0);
}

dtrace:::END
{
	printf("%d reports\n", lines);
	trunc(@calls);
}
