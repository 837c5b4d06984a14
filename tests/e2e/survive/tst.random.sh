# timeout: 60
# The command, or the trace, is killed at any moment, also while it is being
# started: the other one ends, and nothing stays.
n=$(times 12)
cat >d <<'EOF'
syscall:::entry /progenyof($target)/ { @[probefunc] = count(); self->t = vtimestamp; }
profile-997 /progenyof($target)/ { @p[execname] = count(); }
tick-1ms { ticks++; }
EOF
# Wait for a child of process $1 for a moment; its pid.
child_of() {
	local i
	for ((i = 0; i < 200; i++)); do
		cat /proc/$1/task/$1/children 2>/dev/null | grep . && return
		kill -0 $1 2>/dev/null || return
	done
}
# A random part of a second below $1 ms.
moment() { sleep $(printf 0.%03d $((RANDOM % $1))); }
trace() {
	$SIGINT_ON timeout 20 "$DTRACE" -q -x switchrate=100hz -s d \
		-c "$WORKLOAD -t 2 getppid:100 fork:100000:10" >out 2>err &
	wrapper=$!
	until pid=$(child_of $wrapper) && [ "$pid" ]; do :; done
}
bpf_before
for ((i = 0; i < n; i++)); do		# the command is killed
	trace
	child=$(child_of $pid)
	moment 40
	[ "$child" ] && kill -KILL $child
	wait $wrapper
	status=$?
	[ $status = 0 ] || [ $status = 1 ] || { echo "status $status"; cat err; }
done
for ((i = 0; i < n; i++)); do		# the trace is
	signals=(INT TERM HUP KILL)
	trace
	moment 40
	child=$(child_of $pid)
	kill -${signals[i % 4]} $pid 2>/dev/null
	wait $wrapper 2>/dev/null
	status=$?
	[ "$child" ] && gone $child
	case $status in
	0 | 1 | 129 | 130 | 137 | 143) ;;
	*) echo "status $status"; cat err ;;
	esac
done
bpf_after
