# Two signals at once are one request, as timeout(1) makes it; a later one ends the command at once,
# here while END's command runs.
$SIGINT_ON "$DTRACE" -q -x switchrate=100hz -n 'BEGIN { printf("started\n"); } END { printf("ended\n"); }' >out &
pid=$!
until_text out started
kill -STOP $pid
for ((i = 0; i < 300 * ${PATIENCE:-1}; i++)); do
	grep -q '^State:.T' /proc/$pid/status && break
	sleep 0.1
done
kill -INT $pid; kill -TERM $pid; kill -CONT $pid
wait $pid
echo "two at once: $? $(tr '\n' ' ' <out)"

$SIGINT_ON "$DTRACE" -qw -x switchrate=100hz -n 'BEGIN { printf("started\n"); }
	END { system("echo asleep; exec sleep 1000"); printf("ended\n"); }' >out &
pid=$!
until_text out started
kill -INT $pid
until_text out asleep
for ((i = 0; i < 300 * ${PATIENCE:-1}; i++)); do
	kill -INT $pid 2>/dev/null || break
	sleep 0.1
done
wait $pid
echo "one later: $? $(tr '\n' ' ' <out)"
gone $pid
