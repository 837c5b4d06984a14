# vtimestamp stands still while the thread sleeps, and goes on while it works: in each
# round by what is left of the time when the thread's waits for a CPU are taken away, and
# at least as the kernel counts what it runs.  A busy host takes time away from the
# latter, and sleeps cost something, so of these the round in the middle is judged.
set --
for i in 1 2 3 4 5 6 7 8 9; do
	set -- "$@" getppid:1 sleep:1:30000 burn:1:40000
done
"$DTRACE" -q -n '
self uint64_t v, t, sum, delay;

syscall::getppid:entry
/pid == $target && self->t/
{
	printf("work %d %d %d %d\n", vtimestamp - self->v,
	    curthread->se.sum_exec_runtime - self->sum, timestamp - self->t,
	    curthread->sched_info.run_delay - self->delay);
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
	self->delay = curthread->sched_info.run_delay;
}' -c "$WORKLOAD $* getppid:1" >got
# The ratio in the middle, and what holds for every round.
awk '$1 == "sleep" && $3 < 30000000 { print "sleep too short" }
	$1 == "sleep" && $2 == 0 { print "sleep no time at all" }
	$1 == "sleep" { slept[++n] = $2 }
	$1 == "work" && $2 > $4 { print "work too long" }
	$1 == "work" && $2 < 5000000 { print "work not counted" }
	$1 == "work" { counted[++m] = $2 / $3; ran = $2 / ($4 - $5) }
	$1 == "work" && (ran < 0.9 || ran > 1.1) { print "another time than it ran: " $0 }
	function middle(v, n,    i, j, less, more) {
		for (i = 1; i <= n; i++) {
			less = more = 0
			for (j = 1; j <= n; j++) {
				less += v[j] < v[i]
				more += v[j] > v[i]
			}
			if (less <= n / 2 && more <= n / 2)
				return v[i]
		}
	}
	END {
		print n, m, "rounds"
		x = middle(slept, n)
		print "sleep", (x < 10000000 ? "not counted" : "counted: " x)
		x = middle(counted, m)
		print "work", (x < 2 / 3 ? "less than the kernel counts: " x : "counted")
	}' got
