# timeout: 180
# Printed and cleared a hundred times a second at full speed, the parts add up.
"$DTRACE" -q -x switchrate=5ms -x aggrate=5ms -n '
	syscall::getppid:entry /pid == $target/ { @ = count(); }
	tick-10ms, END { printa("part %@d\n", @); clear(@); }' \
	-c "$WORKLOAD -t 4 getppid:3000000" >out
awk '/part/ { n += $2; parts += ($2 > 0) } END { print n, (parts > 5) }' out
