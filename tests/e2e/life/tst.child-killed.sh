# Not even when the tracer is killed.
bpf_before
start_with_child
kill -KILL $pid
wait $pid 2>/dev/null
gone "$child"
bpf_after
