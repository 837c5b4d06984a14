# A command that was started for the trace does not outlive it.
bpf_before
start_with_child
kill -INT $pid
wait $pid
echo "status $?"
gone "$child"
bpf_after
