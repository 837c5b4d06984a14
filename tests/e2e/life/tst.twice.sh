# A second signal ends the command at once.
$SIGINT_ON "$DTRACE" -q -x switchrate=100hz -n 'BEGIN { printf("started\n"); } tick-1s {}' >out &
pid=$!
until_text out started
kill -INT $pid; kill -INT $pid; kill -INT $pid
wait $pid
gone $pid
