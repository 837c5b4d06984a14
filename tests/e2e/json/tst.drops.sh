# What is dropped is an event: rows and drops add up, and the drops have the
# text that goes to standard error.
"$DTRACE" -q -O json -x bufsize=4k -x switchrate=10s -n '
	syscall::getppid:entry /pid == $target/ { trace(arg0); }' \
	-c "$WORKLOAD getppid:20000" >out 2>err
python3 "$E2E/../support/jsoncheck.py" out 'len(firings) + sum(e["count"] for e in events
	if e["name"] == "DROP" and e["kind-name"] == "PRINCIPAL")'
python3 "$E2E/../support/jsoncheck.py" out '"".join("dtrace: " + e["msg"] for e in events
	if e["name"] == "DROP") == open("err").read() != ""'
