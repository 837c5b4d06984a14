# A process that was there before, and is gone right after it was seen.
stacks=${WORKLOAD%/*}/stacks
"$stacks" signal >ready &
old=$!
until_text ready ready
$SIGINT_ON "$DTRACE" -q -o out -n 'BEGIN { printf("started\n"); }
	syscall::getppid:entry /pid == $1/ { @[ustack(3)] = count(); printf("seen\n"); }' $old &
pid=$!
until_text out started
sleep 0.3
kill -USR1 $old
wait $old
until_text out seen
sleep 0.2
kill -INT $pid
wait $pid
cat out
# One that is asked for with -p.
"$stacks" signal >ready2 &
old=$!
until_text ready2 ready
"$DTRACE" -q -n 'BEGIN { system("kill -USR1 %d", $target); }
	syscall::getppid:entry /pid == $target/ { ustack(2); }' -w -p $old
