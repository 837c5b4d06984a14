# exit() in the program: the command does not go on either.
"$DTRACE" -q -n 'syscall::nanosleep:entry /pid == $target/ { printf("%d\n", pid); exit(0); }' \
	-c "$WORKLOAD sleep:1000:50000" >out
echo "status $?"
gone "$(head -n 1 out)"
