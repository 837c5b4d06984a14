# timeout: 120
# Printed and emptied twenty times a second: the parts add up.
parts() {	# ACTIONS clear|trunc CALLS
	local n=$(times $3)
	"$DTRACE" -q -n "syscall::getppid:entry /pid == \$target/ { $1 }
		tick-50ms, END { printa(@); $2(@); }" \
		-c "$WORKLOAD -t 4 getppid:$n" >out
	awk -v n=$n 'NF { sum += $NF; parts++ } END { print sum / n, (parts > 2) }' out
}
parts '@ = count();' clear 1000000
parts '@ = count();' trunc 1000000
parts '@[tid, self->i++ % 50] = count();' clear 300000
parts '@[tid, self->i++ % 50] = count();' trunc 1000000
parts '@[execname] = sum(1);' trunc 1000000
