"$DTRACE" -q -n '
	syscall::write:entry
	/pid == $target/
	{
		bytes[execname, pid, (int)arg0] += arg2;
	}
	END
	{
		printf("%d\n", bytes["workload", $target, 4]);
		printf("%d\n", bytes["workload", $target, 3]);
	}' -c "$WORKLOAD write:10:100"
