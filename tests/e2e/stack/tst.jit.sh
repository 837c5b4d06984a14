# Code that a program made itself is named by its map file, if that is the
# user's own, and also when the program is gone.
stacks=${WORKLOAD%/*}/stacks
"$stacks" jit &
pid=$!
wait $pid || exit
rm -f "/tmp/perf-$pid.map"
"$DTRACE" -q -n 'syscall::getppid:entry /pid == $target/ { @[ustack(2), umod(ucaller)] = count(); }
	END { printf("%d\n", $target); }' -c "$stacks jit" >out
sed '1d' out
rm -f "/tmp/perf-$(head -n 1 out).map"
