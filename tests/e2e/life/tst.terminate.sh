bpf_before
start_trace

kill -TERM $pid
wait $pid
echo "status $?"
cat out
bpf_after
