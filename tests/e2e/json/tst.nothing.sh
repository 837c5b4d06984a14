# No event at all is a document, too.
"$DTRACE" -O json -Z -q -n 'nosuch:::probe { }' -c true >out 2>/dev/null
python3 "$E2E/../support/jsoncheck.py" out 'len(events)'
"$DTRACE" -q -O json -n 'BEGIN { exit(0); }' >out
python3 "$E2E/../support/jsoncheck.py" out '[e["output"] for e in events]'
"$DTRACE" -q -O jsonl -n 'BEGIN { @ = count(); trunc(@); exit(0); }' >out
python3 "$E2E/../support/jsoncheck.py" --lines out '[e["output"] for e in events]'
"$DTRACE" -O xml -n 'BEGIN { exit(0); }' 2>&1
[ $? = 1 ]
