# A process's stack in each turn of a loop: recorded, and as a key.
"$DTRACE" -q -n 'syscall::getppid:entry /pid == $target/ {
	for (i = 0; i < 3; i++) { ustack(2); @[ustack(), i] = count(); } }' \
	-c "${WORKLOAD%/*}/stacks plain" >out
echo $(grep -c 'stacks`demo::leaf+' out) $(grep -c 'stacks`main+' out)
