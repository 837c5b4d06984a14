# timeout: 60
# Waiting costs next to nothing, however short the rates are: of the time that the
# tracer waits it may take a quarter, and takes a twentieth.  What it took to start
# does not count.
used() {	# processor time in ns, exact: stat's is what the clock's interrupts happened to see
	cat /proc/$pid/task/*/schedstat | awk '{ n += $1 } END { printf "%.0f\n", n }'
}
for x in switchrate=0 switchrate=1ns aggrate=0 statusrate=1ns cleanrate=5000hz; do
	rm -f out		# else the last one's word is taken for this one's
	$SIGINT_ON "$DTRACE" -qx $x -n 'BEGIN { printf("started\n"); }
		syscall::getpid:entry /pid == $target/ { @ = count(); }' \
		-c 'sleep 1000' >out &
	pid=$!
	until_text out started
	begun=$(date +%s%N) before=$(used)
	[ "$before" -gt 0 ] || echo "this kernel does not tell"
	sleep 0.5
	took=$(($(used) - before)) time=$(($(date +%s%N) - begun))
	kill -INT $pid
	wait $pid
	[ $((took * 4)) -lt $time ] || echo "$x: $took of $time ns"
done
