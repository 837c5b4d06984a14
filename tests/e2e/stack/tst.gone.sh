# Names outlive processes, and files: programs that nobody announced, which end
# at once, one of them deleted before anything is printed.
stacks=${WORKLOAD%/*}/stacks
cp "$stacks" here
export LD_LIBRARY_PATH=${WORKLOAD%/*}
$SIGINT_ON "$DTRACE" -q -o out -n 'BEGIN { printf("started\n"); }
	syscall::getppid:entry /ppid == $1/
	{ @[execname, usym(ucaller), umod(ucaller)] = count(); @n = count(); }
	tick-10hz { printa("%@d calls\n", @n); }' $$ &
pid=$!
until_text out started
for i in 1 2 3 4 5 6 7 8; do "$stacks"; ./here; done
until_text out '16 calls'
rm here
kill -INT $pid
wait $pid
grep -v 'calls$' out | sort | uniq -c
