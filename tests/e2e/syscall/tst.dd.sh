"$DTRACE" -q -n 'syscall::write:entry /pid == $target/ { @ = quantize(arg2); }' \
	-c 'dd if=/dev/zero of=/dev/null bs=4096 count=1000 status=none'
