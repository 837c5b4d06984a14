# Each event says when, where and who; the same as D's own variables say.
"$DTRACE" -q -O jsonl -n 'syscall::getppid:entry /pid == $target/
	{ trace(pid); trace(tid); trace(execname); trace(timestamp);
	  trace(walltimestamp); trace(cpu); trace(id); }' \
	-c "$WORKLOAD getppid:50" >out
python3 "$E2E/../support/jsoncheck.py" --lines out 'len(events), all(
	e["pid"] == o[0] and e["tid"] == o[1] and e["execname"] == o[2] and
	e["timestamp"] == o[3] and abs(e["walltimestamp"] - o[4]) < 10**8 and
	e["cpu"] == o[5] and e["id"] == o[6] and e["provider"] == "syscall" and
	e["function"] == "getppid" and e["name"] == "entry"
	for e in events for o in [[x["value"] for x in e["output"]]])'
