# timeout: 120
# Three processes of one CPU, which each loses in the middle of a program where the kernel
# lets it, keep none of the others' firings from being seen, whatever tells of them.
case $(uname -m) in x86_64) number=110 ;; aarch64) number=173 ;; *) exit 77 ;; esac
cpu=$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')
three() {	# PROBES OP
	"$DTRACE" -qn "$1"' /progenyof($target) && execname == "workload" &&
		(probename != "sys_enter" || arg1 == '$number')/
		{ @[probeprov, probename] = count(); }
		END { printa("%s %s %@d\n", @); }' \
		-c "taskset -c $cpu sh -c '$WORKLOAD $2 & $WORKLOAD $2 & $WORKLOAD $2; wait'" |
		sed '/^$/d' | sort
}
three sdt:::sys_enter getppid:20000
three sysinfo:::sysread,sysinfo:::readch read:20000:1
three proc:::create,proc:::start,proc:::exit,sysinfo:::nthreads,sdt:::sched_process_exit fork:200
