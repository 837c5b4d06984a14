# One row for each call, all of them, in order.
"$DTRACE" -q -n 'syscall::read:entry /pid == $target/ { printf("%d\n", arg2); }' \
	-c "$WORKLOAD read:2:10 read:1:20 read:2000:30 read:1:40" >rows
uniq -c rows | awk '{ print $1, $2 }'
