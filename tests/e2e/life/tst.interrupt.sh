bpf_before
$SIGINT_ON "$DTRACE" -q -n 'BEGIN { printf("started\n"); }
	syscall:::entry { @[execname] = count(); self->x = timestamp; }
	END { printf("ended\n"); trunc(@); }' -x switchrate=100hz >out &
pid=$!
until_text out started

kill -INT $pid
wait $pid
echo "status $?"
cat out
bpf_after
