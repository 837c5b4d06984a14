#!/usr/sbin/dtrace -s
/* flags: -c "$WORKLOAD write:2:10 write:1:2000 read:3:300 read:1:70000"
 *
 * How much is asked for, by command and direction, and how much of it came: one
 * report of several aggregations.
 */

#pragma D option quiet

dtrace:::BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n\n");
}

syscall::read:entry, syscall::write:entry
/pid == $target/
{
	@ops[execname, probefunc] = count();
	@asked[execname, probefunc] = sum(arg2);
	@most[execname, probefunc] = max(arg2);
	self->asked = arg2;
}

syscall::read:return, syscall::write:return
/self->asked && errno == 0/
{
	this->pct = self->asked > 0 ? (arg0 * 100) / self->asked : 0;
	@avg[execname, probefunc] = avg(arg0);
	@done[probefunc] = lquantize(this->pct, 0, 100, 10);
	self->asked = 0;
}

dtrace:::END
{
	normalize(@asked, 1000);
	printf("%-12s %-8s %6s %6s %6s %6s\n", "CMD", "CALL", "OPS", "KB",
	    "MAX", "AVG");
	printa("%-12s %-8s %@6d %@6d %@6d %@6d\n", @ops, @asked, @most, @avg);
	printf("\n%s\n", "percent of what was asked for:");
	printa(@done);
}
