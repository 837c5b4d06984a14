# More thread-local and associative variables than there is room for: told.
"$DTRACE" -q -x dynvarsize=4k -n '
	syscall::getppid:entry /pid == $target/ { a[n++] = 1; }' \
	-c "$WORKLOAD getppid:5000"
