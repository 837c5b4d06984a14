# A limit to the size of files ends the trace as a full disk does.
bpf_before
(
	ulimit -f 1000
	timeout 10 "$DTRACE" -q -x switchrate=100hz -o file -n 'tick-1ms {
		printf("%1000d%1000d%1000d%1000d%1000d\n", 1, 2, 3, 4, 5); }' 2>err
	echo "status $?"
)
grep -o 'write output: .*' err
stat -c %s file
bpf_after
# Nor does it kill who has the preprocessor read a program.
(
	ulimit -f 0
	timeout 10 "$DTRACE" -q -C -n 'BEGIN { exit(0); }' 2>&1
	echo "status $?"
) | cat
