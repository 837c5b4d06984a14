# Not even when the tracer is killed.
bpf_before
$SIGINT_ON "$DTRACE" -q -x switchrate=100hz -n 'BEGIN { printf("started\n"); }
	syscall::nanosleep:entry /pid == $target/ { printf("child %d\n", pid); }' \
	-c "$WORKLOAD sleep:1000:50000" >out &
pid=$!
until_text out child
child=$(awk '/child/ { print $2; exit }' out)
kill -KILL $pid
wait $pid 2>/dev/null
gone "$child"
bpf_after
