# The command runs only once tracing is on; its end ends the trace.
"$DTRACE" -q -n 'syscall::write:entry /pid == $target/ { @ = sum(arg2); }' \
	-c "$WORKLOAD write:3:100"
