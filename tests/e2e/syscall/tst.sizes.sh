"$DTRACE" -q -n 'syscall::read:return /pid == $target/ { @ = quantize(arg0); }' \
	-c "$WORKLOAD read:5:0 read:20:1 read:10:512 read:40:4096"
