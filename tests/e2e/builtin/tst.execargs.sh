# Arguments with blanks between them, cut at strsize; the last one has no
# blank behind it.
run() {
	"$DTRACE" -q "$@" -n 'syscall::getppid:entry /pid == $target/ {
		printf("<%s>\n", execargs); }' -c "$WORKLOAD getppid:1 'open:0' close:0" |
		sed "s|$WORKLOAD|WORKLOAD|"
}
run
cp "$WORKLOAD" ./w
"$DTRACE" -q -x strsize=12 -n 'syscall::getppid:entry /pid == $target/ {
	printf("<%s>\n", execargs); }' -c "./w getppid:1 close:0"
# An argument of no length, and one with blanks of its own.
"$DTRACE" -q -n 'syscall::getppid:entry /pid == $target && execname == "w"/ {
	printf("<%s>\n", execargs); }' \
	-c "bash -c 'exec -a \"\" ./w getppid:1 \"close:0:1  2\"'"
