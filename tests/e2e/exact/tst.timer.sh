# timeout: 120
# An interrupt that comes while the CPU runs a program is seen like any other: of those of
# the local timer there are at least as many as the kernel itself counts meanwhile, and
# none is lost.
grep -q '^ *LOC:' /proc/interrupts || { echo "this CPU has no local timer"; exit 77; }
"$DTRACE" -ln sdt:::local_timer_entry >/dev/null 2>&1 ||
	{ echo "the kernel has no tracepoint of the local timer"; exit 77; }
cat >work <<'END'
loc() { awk '$1 == "LOC:" { for (i = 2; $i ~ /^[0-9]+$/; i++) n += $i } END { print n }' /proc/interrupts; }
before=$(loc)
for i in 1 2 3 4; do $WORKLOAD getppid:20000 & done
wait
echo "there are $(($(loc) - before))"
END
"$DTRACE" -qn 'sdt:::local_timer_entry { @ = count(); }
	syscall::getppid:entry /progenyof($target) && execname == "workload"/
	{ @long[strjoin(strjoin(execname, probefunc), strjoin(probename, probeprov)),
	    strstr(strjoin(probefunc, execname), "w")] = count(); }
	END { printa("seen %@d\n", @); printa("%@d long calls\n", @long); }' \
	-c "sh -c 'WORKLOAD=$WORKLOAD; . ./work'" >out 2>err
cat err
awk '/^there are/ { n = $3 } /^seen/ { print ($2 >= n ? "all timers" : $2 " of " n) }
	/long calls/' out
