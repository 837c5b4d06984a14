# needs: unshare
# A disk that fills up while tracing: a file system of 64 KiB that only this
# test sees.
bpf_before
unshare -m bash -c '
	mkdir small && mount -t tmpfs -o size=64k none small &&
	timeout 20 "$DTRACE" -q -x switchrate=100hz -o small/file -n "
		syscall::getppid:entry /pid == \$target/ { printf(\"%64d\n\", arg0); }" \
		-c "$WORKLOAD getppid:20000"
	echo "status $?"' 2>err
grep -c 'No space left on device' err
bpf_after
