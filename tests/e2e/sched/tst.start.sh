# Which kernel has what for these probes is found out before the command is begun: its
# first calls are not missed.
"$DTRACE" -qn 'sched:::, proc:::, sysinfo:::, vminfo:::, io:::, lockstat::: /pid == $target && 0/ { }
	syscall::execve:entry /pid == $target/ { @["execve"] = count(); }
	syscall::brk:entry /pid == $target && !brk++/ { @["brk"] = count(); }' -c true |
	awk 'NF'
