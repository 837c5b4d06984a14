# Without leave nothing destructive starts; with it, that is said, unless
# quiet.
for f in 'system("echo never")' 'freopen("never")' 'raise(9)' 'stop()' \
	'chill(1)'; do
	"$DTRACE" -qn "BEGIN { $f; exit(0); }" 2>&1
done
"$DTRACE" -wn 'BEGIN { exit(0); }' 2>&1 >/dev/null
"$DTRACE" -qwn 'BEGIN { exit(0); }' 2>&1
"$DTRACE" -q -x destructive -n 'BEGIN { system("echo x"); exit(0); }' 2>&1
"$DTRACE" -qn '#pragma D option destructive
BEGIN { system("echo pragma"); exit(0); }' 2>&1
ls never 2>/dev/null
true
