# What cannot be an address ends a stack.
"$DTRACE" -q -n 'syscall::getppid:entry /pid == $target/
	{ ustack(); printf("%d %x\n", ustackdepth, ucaller); }' -c "${WORKLOAD%/*}/stacks garbage"
[ "$(uname -m)" = x86_64 ] || exit 77
