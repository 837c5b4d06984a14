# Stopped where it stands until somebody lets it go on.
"$DTRACE" -qw -n 'syscall::clock_nanosleep:entry /pid == $target/ {
	stop();
	printf("stopping\n");
	system("until grep -q \"^State:.T\" /proc/%d/status; do :; done", pid);
	printf("stopped\n");
	system("kill -CONT %d", pid);
}
syscall::exit_group:entry /pid == $target/ { printf("going on\n"); }' \
	-c 'sleep 0.01'
# nobody lets it go: it ends with the trace
"$DTRACE" -qw -n 'syscall::clock_nanosleep:entry /pid == $target/ {
	printf("%d\n", pid);
	stop();
	exit(3);
}' -c 'sleep 1000' >out
echo $?
gone "$(head -n 1 out)"
