# timeout: 120
# What is read and emptied two hundred times a second on the one CPU where it is counted
# keeps nobody there from being counted meanwhile.
cpu=$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')
taskset -c $cpu "$DTRACE" -qn '
	syscall::getppid:entry /progenyof($target) && execname == "workload"/
		{ @[pid, n++ % 3000] = count(); @all = count(); }
	END { trunc(@); printa("%@d\n", @all); }' -x aggrate=5ms -x switchrate=5ms \
	-c "sh -c '$WORKLOAD getppid:20000 & $WORKLOAD getppid:20000 & $WORKLOAD getppid:20000; wait'" |
	sed '/^$/d'
