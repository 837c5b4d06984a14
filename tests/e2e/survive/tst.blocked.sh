# timeout: 30
# A reader that is slow to read: interrupted while it writes, the trace still
# prints all that it has.
bpf_before
mkfifo pipe
$SIGINT_ON "$DTRACE" -q -x switchrate=100hz -n 'int n;
	syscall::nanosleep:entry
	/pid == $target/
	{
		printf("%70d\n%70d\n%70d\n%70d\n", n, n, n, n); n++;
	}
	END { printf("ended after %d\n", n); }' \
	-c "$WORKLOAD sleep:100000:100" >pipe &
pid=$!
exec 3<pipe
written() { awk '/^wchar/ { print $2 }' /proc/$pid/io; }
# Nobody reads: in a while the pipe is full.
for ((i = 0; i < 100; i++)); do
	before=$(written)
	sleep 0.2
	[ $before -gt 30000 ] && [ $before = $(written) ] && break
done
kill -INT $pid
sleep 0.3
cat <&3 >out
wait $pid
echo "status $?"
awk '/ended/ { print (rows == 4 * $3), (rows > 400); next } NF == 1 { rows++ }' out
bpf_after
