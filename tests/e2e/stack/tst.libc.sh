# libc keeps no frames, and yet its caller is seen; also by ucaller and
# ustackdepth.
[ "$(uname -m)" = x86_64 ] || { echo "only known of x86-64"; exit 77; }
"$DTRACE" -q -n 'syscall::getppid:entry /pid == $target/ {
	d = ustackdepth;
	printf("%A", ucaller);
	ustack(3); }
	END { trace(d >= 6); }' -c "${WORKLOAD%/*}/stacks libc"
