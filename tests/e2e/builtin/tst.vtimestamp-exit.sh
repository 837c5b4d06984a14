# timeout: 100
# What an ended thread leaves is freed: more threads than can be remembered
# are no loss, and none begins with the time of one before it: else all that get
# the place of an early one would have its 60 ms.  A few may, when the machine
# itself was held up just then.
"$DTRACE" -q -n 'syscall::getppid:entry /pid == $target/ {
		@ = sum(vtimestamp > 30000000); @n = count(); }
	END { printa("%@d\n", @); printa("%@d\n", @n); }' \
	-c "$WORKLOAD spawn:10:60000 spawn:70000" >got
awk 'NR == 1 { print $1 < 10 ? "anew" : "old: " $1 } NR == 2 { print }' got
