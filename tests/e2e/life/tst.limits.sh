# With few descriptors, or little memory: it works, or says what is missing; never
# anything else, and nothing stays.
ldd "$DTRACE" | grep -q asan && { echo 'needs terabytes itself'; exit 77; }
bpf_before
try() {
	timeout 10 "$DTRACE" -q -n '
		syscall::getppid:entry
		/pid == $target/
		{
			@[execname, ustack(3)] = count(); self->a = 1;
			printf("%s\n", execname);
		}
		profile-97 { @p = count(); }
		tick-10ms { n++; }
		BEGIN { a[1] = 1; }' -c "$WORKLOAD getppid:1" >out 2>err
	status=$?
	if [ $status = 0 ]; then
		grep -o '^workload' out; but_for_the_clock <err
	elif [ $status = 1 ]; then
		grep -q "$1" err && [ ! -s out ] && echo 'it was told' || cat err
	else
		echo "status $status"; cat err
	fi
}
for n in {5..53..3}; do
	(ulimit -n $n; try 'Too many open files')
done | sort -u
for n in {8..40..4}; do
	(ulimit -v ${n}000; try 'out of memory\|Cannot allocate\|unavailable')
done | sort -u
bpf_after
