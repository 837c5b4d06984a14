# vtimestamp stands still while the thread sleeps and goes on while it works;
# what the kernel itself counts is the measure, to within what a busy host takes
# away from one clock and not from the other.
"$DTRACE" -q -n '
syscall::getppid:entry
/pid == $target && self->n++ == 0/
{
	self->v = vtimestamp;
	self->t = timestamp;
}

syscall::nanosleep:return
/pid == $target/
{
	self->dv = vtimestamp - self->v;
	self->dt = timestamp - self->t;
	printf("asleep: %s\n", self->dt < 200000000 ? "too short" :
	    self->dv > 20000000 ? "counted" : self->dv == 0 ? "no time at all" :
	    "not counted");
	self->v = vtimestamp;
	self->t = timestamp;
	self->sum = curthread->se.sum_exec_runtime;
}

syscall::getppid:entry
/pid == $target && self->n == 2/
{
	self->dv = vtimestamp - self->v;
	self->ds = curthread->se.sum_exec_runtime - self->sum;
	printf("at work: %s\n", self->dv > timestamp - self->t ? "too long" :
	    self->dv < self->ds - self->ds / 3 ? "less than the kernel counts" :
	    self->dv > self->ds + self->ds / 3 ? "more than the kernel counts" :
	    self->dv < 20000000 ? "not counted" : "counted");
}' -c "$WORKLOAD getppid:1 sleep:1:200000 burn:1:300000 getppid:1"
