"$DTRACE" -q -x droptags -x dynvarsize=4k -n '
	syscall::getppid:entry /pid == $target/ { a[n++] = 1; }' \
	-c "$WORKLOAD getppid:5000"
