# A stripped program says where, but not what.
"$DTRACE" -q -n 'syscall::getppid:entry /pid == $target/ { ustack(2); }' \
	-c "${WORKLOAD%/*}/stacks-stripped"
# One that has its debug information elsewhere is tested by test-sym-elf.
