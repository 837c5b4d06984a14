# timeout: 60
# Printed and emptied twenty times a second: the parts add up.
n=$(times 1000000)
parts() {	# ACTIONS
	"$DTRACE" -q -n "syscall::getppid:entry /pid == \$target/ { $1 }
		tick-50ms { printa(@); $2(@); }" \
		-c "$WORKLOAD -t 4 getppid:$n" >out
	awk -v n=$n 'NF { sum += $NF; parts++ } END { print sum / n, (parts > 4) }' out
}
parts '@ = count();' clear
parts '@ = count();' trunc
parts '@[tid, self->i++ % 50] = count();' clear
parts '@[tid, self->i++ % 50] = count();' trunc
parts '@[execname] = sum(1);' trunc
