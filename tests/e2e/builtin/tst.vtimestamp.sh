# vtimestamp stands still while the thread sleeps and goes on while it works;
# what the kernel itself counts is the measure.  A busy host takes time away
# from one clock and not from the other, so nine rounds of each are made and
# the one in the middle is judged.
set --
for i in 1 2 3 4 5 6 7 8 9; do
	set -- "$@" getppid:1 sleep:1:30000 burn:1:40000
done
"$DTRACE" -q -n '
self uint64_t v, t, sum;

syscall::getppid:entry
/pid == $target && self->t/
{
	printf("work %d %d %d\n", vtimestamp - self->v,
	    curthread->se.sum_exec_runtime - self->sum, timestamp - self->t);
}

syscall::getppid:entry
/pid == $target/
{
	self->v = vtimestamp;
	self->t = timestamp;
}

syscall::nanosleep:return
/pid == $target/
{
	printf("sleep %d %d\n", vtimestamp - self->v, timestamp - self->t);
	self->v = vtimestamp;
	self->t = timestamp;
	self->sum = curthread->se.sum_exec_runtime;
}' -c "$WORKLOAD $* getppid:1" >got
awk '$1 == "sleep" && $3 < 30000000 { print "sleep too short"; next }
	$1 == "sleep" && $2 > 10000000 { print "sleep counted"; next }
	$1 == "sleep" && $2 == 0 { print "sleep no time at all"; next }
	$1 == "sleep" { print "sleep not counted" }
	$1 == "work" && $2 > $4 { print "work too long"; next }
	$1 == "work" && $2 < $3 * 2 / 3 { print "work less than the kernel counts"; next }
	$1 == "work" && $2 > $3 * 4 / 3 { print "work more than the kernel counts"; next }
	$1 == "work" && $2 < 5000000 { print "work not counted"; next }
	$1 == "work" { print "work counted" }' got >told
for what in sleep work; do
	# told by more than half
	grep "^$what " told | sort | uniq -c | sort -rn |
	    awk '{ n = $1; sub(/^ *[0-9]+ /, ""); print (n > 4 ? "" : "undecided ") $0; exit }'
done
