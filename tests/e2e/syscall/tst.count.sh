"$DTRACE" -q -n 'syscall::getppid:entry /pid == $target/ { @ = count(); }' \
	-c "$WORKLOAD getppid:1000"
