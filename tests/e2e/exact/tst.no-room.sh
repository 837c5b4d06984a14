# timeout: 120
# More keys than there is room for: what is shown and what was dropped add up,
# also when the aggregation is emptied meanwhile.
check() {	# CALLS CLAUSES
	local n=$(times $1)
	"$DTRACE" -q -x aggsize=64k -n "$2" -c "$WORKLOAD -t 4 getppid:$n" \
		>out 2>err
	awk -v n=$n 'FILENAME == "out" && NF == 3 { shown += $NF }
		/aggregation drop/ { dropped += $2 }
		END { print (shown + dropped) / n, (shown > 0), (dropped > 0) }' out err
	! grep -v "aggregation drop" err
}
check 1000000 '
	syscall::getppid:entry /pid == $target/ { @[tid, self->i++] = count(); }'
check 300000 '
	syscall::getppid:entry /pid == $target/ { @[tid, self->i++] = count(); }
	tick-50ms, END { printa(@); trunc(@); }'
