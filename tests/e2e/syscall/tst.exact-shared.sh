# Threads that take turns on one CPU, which each loses in the middle of a program where
# the kernel lets it, keep no other's calls from being seen.
"$DTRACE" -qn '
syscall::getppid:entry /progenyof($target) && execname == "workload"/
	{ @[pid] = count(); @q = quantize(timestamp); @s[execname, probefunc] = sum(arg0); }
syscall::getppid:return /progenyof($target) && execname == "workload"/
	{ @r[pid] = count(); }
END { printa("%@d\n", @); printa("back %@d\n", @r); }' \
	-c "taskset -c $(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//') sh -c '$WORKLOAD getppid:20000 & $WORKLOAD getppid:20000 & $WORKLOAD getppid:20000; wait'" |
	grep -e '^[0-9]' -e ^back
