# What a reading takes in the middle is there from the start: who may begin reads
# aggregations to the end.
for n in $(seq 4 60); do
	(ulimit -n $n; exec "$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ {
		@ = count(); @u[execname, ustack(3)] = count(); printf("begun\n"); }
		profile-97 /0/ { } tick-50ms { printa("%@d in the middle\n", @); }
		END { printa("read %@d\n", @); }' \
		-c "$WORKLOAD getppid:3 sleep:1:200000 getppid:4") >out 2>err
	status=$?
	if [ $status = 0 ]; then
		grep read out
	elif [ ! -s out ] && grep -q 'Too many open files\|error while loading shared' err; then
		echo 'it was told'
	else
		echo "$n: status $status, $(cat out err)"
	fi
done | sort -u
