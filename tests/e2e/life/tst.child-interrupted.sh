# A command that was started for the trace does not outlive it.
bpf_before
$SIGINT_ON "$DTRACE" -q -x switchrate=100hz -n 'BEGIN { printf("started\n"); }
	syscall::nanosleep:entry /pid == $target/ { printf("child %d\n", pid); }' \
	-c "$WORKLOAD sleep:1000:50000" >out &
pid=$!
until_text out child
child=$(awk '/child/ { print $2; exit }' out)
kill -INT $pid
wait $pid
echo "status $?"
gone "$child"
bpf_after
