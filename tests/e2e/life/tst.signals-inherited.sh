# Whoever starts a trace may ignore the end of children, or block what ends a
# trace; the status of the command is told, and the trace ends, all the same.
env --ignore-signal=CHLD "$DTRACE" -n 'BEGIN { trace(1); }' -c 'sh -c "exit 3"' 2>&1 |
	grep -o 'exited with status 3'
echo 'BEGIN { trace(__LINE__); exit(0); }' >d
env --ignore-signal=CHLD "$DTRACE" -q -C -s d
for signal in INT TERM; do
	: >out
	env --default-signal=INT --block-signal=INT,TERM "$DTRACE" -q -x switchrate=50hz \
		-n 'BEGIN { printf("started\n"); } END { printf("ended\n"); }' >out &
	pid=$!
	until_text out started
	kill -$signal $pid
	gone $pid
	wait $pid
	echo "$signal $?"
	cat out
done
# Nor has a signal to wait for the program to be compiled; the shell has what is
# in the background ignore SIGINT.
printf '#!/bin/sh\necho compiling >>out\nexec sleep 1000\n' >slow
chmod +x slow
for signal in INT TERM; do
	: >out
	"$DTRACE" -q -C -x cpppath="$PWD/slow" -s d &
	pid=$!
	until_text out compiling
	kill -$signal $pid
	gone $pid
	{ wait $pid; } 2>/dev/null
	echo "$signal $?"
done
