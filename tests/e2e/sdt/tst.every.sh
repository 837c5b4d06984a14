# timeout: 90
# All tracepoints at once, by which a call is seen as often as by the provider
# syscall; what firings miss, as others run at that moment, is told.  The programs
# that we run have the limit of files that we had.
ulimit -Sn 1024
"$DTRACE" -w -qn 'sdt::: /pid == $target/ { @[probename] = count(); }
	sdt:raw_syscalls::sys_enter /pid == $target/ { @sdt = count(); }
	syscall:::entry /pid == $target/ { @calls = count(); }
	BEGIN { system("ulimit -n"); }
	END { printa("%s\n", @); printa("sdt %@d\n", @sdt); printa("calls %@d\n", @calls); }' \
	-c "$WORKLOAD getppid:20000" >out 2>err
grep -v -e 'firings\? lost$' -e 'drops\? on CPU' err
awk '{ n[$1] = $2 }
	END { print (n["sdt"] == n["calls"]), (n["calls"] > 20000), ("sys_exit" in n) }' out
grep '^1024$' out
# All of them are attached.
"$DTRACE" -l -P sdt | tail -n +2 | wc -l >listed
"$DTRACE" -n 'sdt:::, BEGIN { exit(0); }' -c 'sh -c "ulimit -n >limit"' >out 2>&1
cat limit
awk '/matched/ { print $(NF - 1) - 1 }' out | diff listed - && echo all
! grep 'cannot attach' out
