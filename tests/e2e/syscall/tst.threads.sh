# Thread-locals are one for each thread.
"$DTRACE" -q -n '
	syscall::getppid:entry /pid == $target/ { self->n++; }
	syscall::getppid:return /self->n == 1000/ { @ = count(); self->n = 0; }' \
	-c "$WORKLOAD -t 8 getppid:1000"
