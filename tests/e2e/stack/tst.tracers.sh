# Whether others trace the same place makes no difference.
stacks=${WORKLOAD%/*}/stacks
run() {
	"$DTRACE" -q -n 'syscall::getppid:entry /pid == $target/
		{ stack(3); printf("%d %a\n", stackdepth, caller); }' -c "$stacks"
}
run >alone
"$DTRACE" -q -o other -n 'BEGIN { printf("started\n"); } syscall::getppid:entry { @ = count(); }' &
pid=$!
until_text other started
run >together
kill -TERM $pid
wait $pid 2>/dev/null
diff alone together && cat alone
