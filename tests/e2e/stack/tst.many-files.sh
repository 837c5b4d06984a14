# timeout: 120
# Names outlive many files that were deleted before they were printed, and all that is kept
# of them is a few descriptors.
stacks=${WORKLOAD%/*}/stacks
export LD_LIBRARY_PATH=${WORKLOAD%/*}
$SIGINT_ON "$DTRACE" -q -o out -x bufsize=1m -n 'BEGIN { printf("started\n"); }
	syscall::getppid:entry /ppid == $1/ { @[usym(ucaller)] = count(); @n = count(); }
	tick-10hz { printa("%@d calls\n", @n); }' $$ &
pid=$!
until_text out started
for i in $(seq 400); do
	cp "$stacks" file$i
	./file$i
	((i % 25)) || { until_text out "^$i calls" && rm file*; }
done
# 64 are open before the first is read; others' files may be, too
# some are closed while they are looked at
fds=$(ls -l /proc/$pid/fd 2>closed | grep -c "$PWD/file")
((fds <= 64)) || echo "$fds descriptors"
kill -INT $pid
wait $pid
grep -c '^  file[0-9]*`outer::inner(int) *1$' out
