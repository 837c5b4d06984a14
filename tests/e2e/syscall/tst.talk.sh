# The first program of the talk: who makes which call, one line for each.
"$DTRACE" -qn 'syscall:::entry { printf("%s %s\n", execname, probefunc); }' \
	-c "$WORKLOAD getppid:100" >lines
grep -c '^workload getppid$' lines
