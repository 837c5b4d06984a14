# Which kernel has what for these probes is found out before the command is begun: its
# first calls are not missed.
locks=lockstat:::
# There the kernel takes locks, whose probes fire in between, to make room for a thread's variables.
[[ $(uname -v) != *PREEMPT_RT* ]] || locks=lockstat:::*-block
"$DTRACE" -qn 'sched:::, proc:::, sysinfo:::, vminfo:::, io:::, '"$locks"' /pid == $target && 0/ { }
	syscall::execve:entry /pid == $target/ { @["execve"] = count(); }
	syscall::brk:entry /pid == $target && !brk++/ { @["brk"] = count(); }' -c true |
	awk 'NF'
