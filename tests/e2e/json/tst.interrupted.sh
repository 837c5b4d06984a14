# Interrupted in the middle, with calls at full speed: nothing is cut, END's
# record is the last. (Of 256 calls one, since Python is to read them.)
for how in "json INT" "json TERM" "jsonl INT"; do
	set -- $how
	: >out
	"$WORKLOAD" getppid:100000000 & load=$!
	$SIGINT_ON "$DTRACE" -q -O $1 -n 'BEGIN { trace("go"); }
		syscall::getppid:entry /pid == $1 && !(n++ % 256)/ { trace(timestamp); @["k"] = count(); }
		END { trace("end"); }' $load >out 2>/dev/null &
	pid=$!
	until [ "$(grep -o '"timestamp"' out | wc -l)" -gt 100 ]; do sleep 0.1; done
	kill -$2 $pid
	wait $pid
	kill $load
	wait $load 2>/dev/null
	python3 "$E2E/../support/jsoncheck.py" \
		$([ $1 = jsonl ] && echo --lines) out 'len(events) > 50 and
		outputs[-1]["value"] == "end" and [e["output"][0]["aggregation-data"][0]["keys"]
		for e in events if e["name"] == "END" and e["id"] == -1]'
done
