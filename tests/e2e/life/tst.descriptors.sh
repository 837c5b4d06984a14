# Without descriptors the reason is told, wherever they come to an end.
for n in $(seq 4 30); do
	(ulimit -n $n; exec "$DTRACE" -qn 'BEGIN, syscall::getpid:entry, profile-97 /pid == $pid/ {
		@[1] = count(); x[1] = 2; } tick-1ms { exit(0); }') >out 2>err
	status=$?
	[ $status = 0 ] && continue
	grep -q 'Too many open files\|error while loading shared' err ||
		echo "$n: status $status, $(cat err)"
done
:
