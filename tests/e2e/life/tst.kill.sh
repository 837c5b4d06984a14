bpf_before
start_trace

kill -KILL $pid
wait $pid
echo "status $?"
bpf_after
