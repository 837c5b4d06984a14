# A process whose / is another directory, as in a container; gone, and its file
# with it, when names are wanted.
mkdir inner
cp "${WORKLOAD%/*}/stacks-static" inner/stacked
chroot inner /stacked signal >ready &
old=$!
until_text ready ready
$SIGINT_ON "$DTRACE" -q -o out -n 'BEGIN { printf("started\n"); }
	syscall::getppid:entry /pid == $1/ { @[ustack(3)] = count(); printf("seen\n"); }' $old &
pid=$!
until_text out started
sleep 0.3
kill -USR1 $old
wait $old
rm -r inner
until_text out seen
kill -INT $pid
wait $pid
cat out
