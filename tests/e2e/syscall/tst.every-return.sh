"$DTRACE" -q -n 'syscall:::return /pid == $target/ { @[probefunc] = count(); }' \
	-c "$WORKLOAD getppid:11 read:12:1 close:13" |
	awk '$1 ~ /^(getppid|read|close)$/ { print $1, $2 }'
