# timeout: 120
# Printed and emptied twenty times a second: the parts add up, in each run.  How
# many parts a number of calls takes depends on the machine, so it is doubled
# until there were several.
parts() {	# ACTIONS clear|trunc CALLS
	local n=$(times $3) result
	while :; do
		"$DTRACE" -q -n "syscall::getppid:entry /pid == \$target/ { $1 }
			tick-50ms, END { printa(@); $2(@); }" \
			-c "$WORKLOAD -t 4 getppid:$n" >out
		result=$(awk -v n=$n '
			NF { sum += $NF; parts++ }
			END { print sum / n, (parts > 2) }' out)
		[[ $result == '4 0' ]] || break
		n=$((2 * n))
	done
	echo "$result"
}
parts '@ = count();' clear 1000000
parts '@ = count();' trunc 1000000
parts '@[tid, self->i++ % 50] = count();' clear 300000
parts '@[tid, self->i++ % 50] = count();' trunc 1000000
parts '@[execname] = sum(1);' trunc 1000000
parts '@["x"] = lquantize(self->i++ % 2000, 0, 2000, 1);' trunc 300000
