"$DTRACE" -q -n '
	syscall::getppid:entry /progenyof($target) && pid != $target/ { @ = count(); }' \
	-c "sh -c '$WORKLOAD getppid:9; :'"
