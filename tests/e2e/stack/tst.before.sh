# A process that was there before, and is gone right after it was seen.
stacks=${WORKLOAD%/*}/stacks
"$stacks" signal >ready &
old=$!
until_text ready ready
stack_before $old
# One that is asked for with -p.
"$stacks" signal >ready2 &
old=$!
until_text ready2 ready
"$DTRACE" -q -n 'BEGIN { system("kill -USR1 %d", $target); }
	syscall::getppid:entry /pid == $target/ { ustack(2); }' -w -p $old
# One that a description names.
"$stacks" signal >ready3 &
old=$!
until_text ready3 ready
"$DTRACE" -q -n 'BEGIN { system("kill -USR1 %d", $1); }
	pid$1:a.out:*leaf*:entry { ustack(3); exit(0); }' -w $old
wait $old
