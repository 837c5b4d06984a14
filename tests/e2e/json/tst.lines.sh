# Lines come when their events do, not when tracing ends; a reader that leaves
# has whole lines.
timeout 10 "$DTRACE" -q -O jsonl -x switchrate=100hz -n 'tick-20ms { trace(i++); }' 2>err |
	head -n 3 >out
python3 "$E2E/../support/jsoncheck.py" --lines out outputs
