# A small buffer, read seldom: rows are dropped, and the drops are counted.
"$DTRACE" -q -x bufsize=4k -x switchrate=10s -n '
	syscall::getppid:entry /pid == $target/ { printf("row %d\n", arg0); }' \
	-c "$WORKLOAD getppid:20000" >out 2>err
rows=$(grep -c row out)
drops=$(awk '/drops* on CPU/ { n += $2 } END { print n + 0 }' err)
[ "$drops" -gt 0 ] && [ "$rows" -gt 0 ] && echo $((rows + drops))
