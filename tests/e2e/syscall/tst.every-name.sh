"$DTRACE" -q -n 'syscall:::entry /pid == $target/ { @[probefunc] = count(); }' \
	-c "$WORKLOAD getppid:11 read:12:1 close:13 open:14" |
	awk '$1 ~ /^(getppid|read|close)$/ { print $1, $2 }'
