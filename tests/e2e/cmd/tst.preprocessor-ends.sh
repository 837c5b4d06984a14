# timeout: 60
# The preprocessor, and whatever it started, ends with us, however that is; and
# no more of its output is kept than a program may be long.
echo 'BEGIN { exit(0); }' >x.d
cat >slow <<'END'
#!/bin/bash
sleep 1000 &
echo $$ $! >pids
exec sleep 1000
END
cat >endless <<'END'
#!/bin/bash
yes 'BEGIN { exit(0); }' &
echo $$ $! >pids
wait
END
chmod +x slow endless
for signal in TERM INT HUP KILL; do
	rm -f pids
	$SIGINT_ON "$DTRACE" -C -x cpppath=./slow -s x.d >out 2>&1 &
	pid=$!
	until_text pids '[0-9] [0-9]'
	kill -$signal $pid
	wait $pid 2>/dev/null
	for p in $(cat pids); do gone $p; done
	echo $signal: $(cat out)
done 2>/dev/null
"$DTRACE" -C -x cpppath=./endless -s x.d
echo status $?
for p in $(cat pids); do gone $p; done
"$DTRACE" -C -x cpppath=/bin/false -es x.d
"$DTRACE" -C -x cpppath=./nowhere -es x.d
:
