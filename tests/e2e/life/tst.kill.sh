bpf_before
start_trace

killed $pid
echo "status $?"
bpf_after
