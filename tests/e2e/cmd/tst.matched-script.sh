echo 'BEGIN { exit(0); } END {}' >two.d
"$DTRACE" -s two.d >/dev/null
echo 'BEGIN { exit(0); }' >one.d
"$DTRACE" -s one.d >/dev/null
"$DTRACE" -q -s one.d >/dev/null
