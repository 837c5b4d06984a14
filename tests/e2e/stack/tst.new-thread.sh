# needs: gcc
# A thread that has not executed anything yet has the frame pointer of who made it, but a
# stack of its own, on which nobody has called anybody; of a forked process the stack is a
# copy of its parent's.
gcc -O0 -fno-asynchronous-unwind-tables -o newborn "$HERE/newborn.c" || exit 77
"$DTRACE" -qn 'proc:::lwp-start /pid == $target && tid != pid/ {
		printf("thread %d", ustackdepth); ustack(3); }
	proc:::lwp-start /progenyof($target) && pid != $target/ {
		printf("%s", n++ % 2 ? "fork" : "process"); ustack(3); }' -c ./newborn |
	sed 's/+0x[0-9a-f]*//; s/^ *//' | grep .
