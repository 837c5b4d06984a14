#!/usr/sbin/dtrace -s
/* flags: -c "$WORKLOAD sleep:3:20000 getppid:100"
 * args: 10
 *
 * Calls slower than $1 milliseconds, and how long all took, by powers of two.
 */

#pragma D option quiet
#pragma D option defaultargs

dtrace:::BEGIN
{
	min_ns = $1 * 1000000;
	printf("calls slower than %d ms\n", $1);
}

syscall:::entry
/pid == $target/
{
	self->ts = timestamp;
	self->name = probefunc;
}

syscall:::return
/self->name == "nanosleep" &&
    (this->delta = timestamp - self->ts) > min_ns/
{
	@slow[self->name, this->delta / 1000000 >= 20 ? "20 ms or more" :
	    "less"] = count();
	slow++;
}

syscall:::return
/self->ts/
{
	this->us = (timestamp - self->ts) / 1000;
	@all = quantize(this->us);
	total += this->us;
	calls++;
	self->ts = 0;
	self->name = 0;
}

dtrace:::END
/calls/
{
	printa("%-12s %-14s %@d\n", @slow);
	printf("%d slow, %s\n", slow, calls > 100 ? "more than 100 in all" :
	    "too few");
	printf("mean %s\n", total / calls < 1000000 ? "below a second" : "?");
	trunc(@all);
}

dtrace:::END
/!calls/
{
	printf("nothing was called\n");
}
