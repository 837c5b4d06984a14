# What commands print, and where freopen() leads, is not in the document.
"$DTRACE" -w -q -O json -n 'BEGIN { trace(1); system("echo %s", "from sh"); freopen("elsewhere");
	trace(2); setopt("nosuch"); exit(0); }' >out 2>err
python3 "$E2E/../support/jsoncheck.py" out outputs
python3 "$E2E/../support/jsoncheck.py" out '[e["name"] for e in events]'
cat err
[ ! -e elsewhere ]
