# jstack() is ustack() of another depth: on Linux no process helps.
stacks=${WORKLOAD%/*}/stacks
"$DTRACE" -q -x jstackframes=1 -x jstackstrsize=100 -n 'syscall::getppid:entry
	/pid == $target/ { jstack(); jstack(2, 200); ustack(1, 0); @[jstack(1)] = count(); }' -c "$stacks"
