# timeout: 60
# Four threads, a million calls each: not one is lost.
"$DTRACE" -q -n '
	syscall::getppid:entry /pid == $target/ { @entry = count(); }
	syscall::getppid:return /pid == $target/ { @return = count(); }
	syscall::getppid:entry /pid == $target/ { @by[probefunc] = count(); }' \
	-c "$WORKLOAD -t 4 getppid:1000000"
