# Not even when the tracer is killed.
bpf_before
start_with_child
killed $pid
gone "$child"
bpf_after
