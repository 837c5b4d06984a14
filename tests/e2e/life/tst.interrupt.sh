bpf_before
start_trace

kill -INT $pid
wait $pid
echo "status $?"
cat out
bpf_after
