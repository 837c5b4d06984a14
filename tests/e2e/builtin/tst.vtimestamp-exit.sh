# timeout: 100
# What an ended thread leaves is freed: more threads than can be remembered
# are no loss, and none begins with the time of one before it.
"$DTRACE" -q -n 'syscall::getppid:entry /pid == $target/ {
		@ = max(vtimestamp); @n = count(); }
	END { printa("%@d\n", @); printa("%@d\n", @n); }' \
	-c "$WORKLOAD spawn:10:60000 spawn:70000" >got
awk 'NR == 1 { print $1 < 30000000 ? "anew" : "old: " $1 } NR == 2 { print }' got
