# Who sleeps for a mutex of the kernel is told to, where the kernel keeps which: asked of a
# wait that ends only when somebody has seen the thread sleep.  (Threads may wait for others,
# too, and get them as they are about to sleep.)
"$DTRACE" -qn 'BEGIN { trace(curthread->blocked_on); exit(0); }' >/dev/null 2>&1 ||
	{ echo "this kernel does not keep what a thread waits for"; exit 77; }
"$DTRACE" -q -o seen -n '
	sched:::off-cpu /progenyof($target) && curlwpsinfo->pr_stype == SOBJ_MUTEX/
	{ self->slept = 1; }
	lockstat:::adaptive-block /progenyof($target)/
	{ printf("block %d %d %d\n", tid, arg1, self->slept); self->slept = 0; }' \
	-c "python3 $HERE/../lockstat/hold.py tty" >held
awk '$1 == "second" { tid = $2; least = $3 } $1 == "block" && $2 == tid && $3 >= least { print $4 }' held seen
