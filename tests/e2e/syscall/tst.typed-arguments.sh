"$DTRACE" -q -n '
	syscall::write:entry /pid == $target && args[2] == 100/
	{
		@[args[0], args[2]] = count();
	}' -c "$WORKLOAD write:4:100 write:2:200"
