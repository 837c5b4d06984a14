"$DTRACE" -q -n '
	syscall::openat:return,
	syscall::close:return
	/pid == $target && errno/
	{
		@[probefunc, errno, arg0 < 0] = count();
	}' -c "$WORKLOAD open:5 close:7"
