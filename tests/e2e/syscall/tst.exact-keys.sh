# timeout: 60
# Many keys, from many threads, also exact.
"$DTRACE" -q -n '
	syscall::read:entry /pid == $target/ { @[tid, arg2] = count(); }' \
	-c "$WORKLOAD -t 8 read:1000:1 read:1000:2 read:1000:3" >out
awk 'NF == 3 { keys++; n += $3 } END { print keys, n }' out
