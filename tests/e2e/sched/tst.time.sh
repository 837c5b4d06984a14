# timeout: 90
# What a thread has had of CPUs, from on-cpu to off-cpu, is what the kernel has noted,
# up to 1 %: it does not note what interrupts took meanwhile, and the host of a
# virtual machine.  (It notes what programs of ours take as the thread comes: where
# they are emulated, that is some per cent.)
cat >script <<'EOF'
inline int64_t others = (int64_t)(curthread->se.cfs_rq->rq->clock -
    curthread->se.cfs_rq->rq->clock_task);
syscall::getppid:entry /pid == $target && arg0 == 4711/
{ self->since = timestamp; self->others = others; self->on = 1; }
sched:::on-cpu /self->on/ { self->since = timestamp; self->others = others; }
sched:::off-cpu /self->since/ {
	@["had"] = sum(timestamp - self->since - (others - self->others));
	self->since = 0;
}
syscall::geteuid:entry /self->since && arg0 == 4711/ {
	@["had"] = sum(timestamp - self->since - (others - self->others));
	self->on = self->since = 0;
}
END { printa("%s %@d\n", @); }
EOF
"$DTRACE" -q -s script -c "python3 $HERE/time.py" >out 2>err || cat out
grep '^no ' err && exit 77
cat err >&2
awk -v slow=${E2E_SLOW:-1} '{ t[$1] = $2 } END {
	d = t["had"] - t["noted"]
	near = (d < 0 ? -d : d) * 100 < t["noted"] * slow
	print near, (t["noted"] > 100000000)
	if (!near) print "had", t["had"], "noted", t["noted"]
}' out
