# Where it can be seen that keys are few, their map is small; where it only looks
# so, it is not.
count() {	# D [COMMAND]
	timeout 60 "$DTRACE" -qn "$1" ${2:+-c "$2"} |
		awk 'NF && $1 != "value" { n++; sum += $NF } END { print n, sum }'
}
count 'BEGIN { for (i = 0; i < 4000; i++) @[i] = count(); exit(0); }'
count 'BEGIN { @[pid] = count(); @[pid + 1] = count(); exit(0); }
	END { @[pid + 2] = count(); @[pid + 3] = count(); }'
count 'syscall::getppid:entry /pid == $target/ { @[n++] = count(); }' \
	"$WORKLOAD getppid:5000"
count 'ERROR { @[n++] = count(); }
	syscall::getppid:entry /pid == $target/ { trace(*(int *)8); }' \
	"$WORKLOAD getppid:3000" 2>/dev/null
# Several pieces for each key.
count 'syscall::getppid:
	/pid == $target/ { @[probefunc, probename] = lquantize(n++, 0, 4000, 1); }' \
	"$WORKLOAD getppid:2000"
