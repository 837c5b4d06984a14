# The option in a program.
"$DTRACE" -q -n '
#pragma D option oformat=jsonl
BEGIN { trace("x"); exit(0); }' >out
python3 "$E2E/../support/jsoncheck.py" --lines out outputs
