# More keys than there is room for: counted, and the sum of what is shown and
# what was dropped is exact.
"$DTRACE" -q -x aggsize=4k -n '
	syscall::getppid:entry /pid == $target/ { @[n++] = count(); }' \
	-c "$WORKLOAD getppid:5000" >out 2>err
grep -c 'aggregation drops* on CPU' err | awk '{ print ($1 > 0) }'
awk 'FILENAME == "out" && NF == 2 { n += $2 } FILENAME == "err" { n += $2 } END { print n }' out err
