# The first program of the talk: who makes which call, one line for each.
cp "$WORKLOAD" talk$$
"$DTRACE" -qn 'syscall:::entry { printf("%s %s\n", execname, probefunc); }' \
	-c "./talk$$ getppid:100" >lines
grep -c "^talk$$ getppid\$" lines
