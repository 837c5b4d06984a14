# timeout: 60
# needs: strace
# A signal that comes while probes are loaded and attached ends dtrace, and its command, there and
# then: nothing has fired yet, so nothing is printed.
for signal in INT TERM; do
	# strace says things of its own
	strace -f -qq -o calls -e trace=bpf -e inject=bpf:delay_enter=50000 \
		sh -c 'exec "$@" >out 2>&1' sh \
		"$DTRACE" -qn 'BEGIN { printf("begun\n"); } tick-1ms { exit(0); } END { printf("ended\n"); }' \
		-c "sleep 1000" </dev/null >said 2>&1 &
	strace=$!
	# a child of dtrace's, and calls made
	for ((i = 0; i < 300 * ${PATIENCE:-1}; i++)); do
		pid=$(pgrep -P $strace) && child=$(pgrep -P $pid -x sleep) && [ "$(wc -l <calls)" -gt 5 ] && break
		sleep 0.1
	done
	kill -$signal $pid
	wait $strace
	echo "$signal $? $(cat out)"
	gone $child || echo "its command lives"
done
