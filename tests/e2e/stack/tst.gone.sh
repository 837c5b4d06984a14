# Names outlive processes, and files: programs that nobody announced, which end
# at once, one of them deleted before anything is printed.
for name in stays goes; do
	cp "${WORKLOAD%/*}/stacks" $name$$
done
export LD_LIBRARY_PATH=${WORKLOAD%/*}
$SIGINT_ON "$DTRACE" -q -o out -n 'BEGIN { printf("started\n"); }
	syscall::getppid:entry /execname == $$1 || execname == $$2/
	{ @[execname, usym(ucaller), umod(ucaller)] = count(); @n = count(); }
	tick-10hz { printa("%@d calls\n", @n); }' stays$$ goes$$ &
pid=$!
until_text out started
for i in 1 2 3 4 5 6 7 8; do ./stays$$; ./goes$$; done
until_text out '16 calls'
rm goes$$
kill -INT $pid
wait $pid
grep -v 'calls$' out | sed "s/$$//g" | sort | uniq -c | tr -s ' '
