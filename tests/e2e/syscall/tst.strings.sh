"$DTRACE" -q -n '
	syscall::openat:entry
	/pid == $target && execname == "workload"/
	{
		@[copyinstr(arg1)] = count();
	}' -c "$WORKLOAD open:6" | grep nonexistent
