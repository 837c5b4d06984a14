"$DTRACE" -q -n '
	syscall::read:entry /pid == $target/ { @in[arg0, arg2] = count(); }
	syscall::read:return /pid == $target/ { @out[arg0, arg1] = count(); }' \
	-c "$WORKLOAD read:3:512 read:2:4096"
