for signal in TERM QUIT HUP; do
	bpf_before
	rm -f out
	start_trace

	kill -$signal $pid
	wait $pid
	echo "status $?"
	cat out
	bpf_after
done
