# Who sleeps for a mutex of the kernel is told to, where the kernel keeps which: whoever the
# lock's own probe says has waited.
"$DTRACE" -qn 'BEGIN { trace(curthread->blocked_on); exit(0); }' >/dev/null 2>&1 ||
	{ echo "this kernel does not keep what a thread waits for"; exit 77; }
"$DTRACE" -q -o seen -n '
	sched:::off-cpu /progenyof($target) && curlwpsinfo->pr_stype == SOBJ_MUTEX/
	{ self->slept = 1; }
	lockstat:::adaptive-block /progenyof($target) && !seen[tid]/
	{ seen[tid] = 1; printf("%d\n", self->slept); }' \
	-c "python3 $HERE/../lockstat/hold.py tty" >held
grep . seen
