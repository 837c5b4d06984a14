# Arguments that are mapped no more are a fault, not an empty string.
"$DTRACE" -q -n 'syscall::getppid:entry /pid == $target/ {
	printf("<%s>\n", execargs); } ERROR { printf("fault %d\n", arg4); }' \
	-c "$WORKLOAD noargs:1"
