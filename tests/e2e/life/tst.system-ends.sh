# timeout: 60
# A command of system() that does not end: the first signal stops the tracing when
# the command has ended, the second does not wait, and the command and all that it
# runs end with us, as they do when we are killed.
for signals in 'TERM TERM' 'INT TERM' 'HUP QUIT' KILL; do
	rm -f pids
	$SIGINT_ON "$DTRACE" -wqn 'BEGIN {
		system("sleep 1000 & echo $$ $! >pids; wait"); }' >out 2>&1 &
	pid=$!
	until_text pids '[0-9] [0-9]'
	for s in $signals; do
		kill -0 $pid
		kill -$s $pid
		sleep 0.3
	done
	gone $pid
	for p in $(cat pids); do gone $p; done
	echo $signals: $(cat out)
done 2>/dev/null
# What a command that has ended left running goes on.
"$DTRACE" -wqn 'BEGIN { system("sleep 1000 >/dev/null 2>&1 & echo $! >pid"); exit(0); }'
kill $(cat pid) && echo it goes on
