exec "$DTRACE" -n 'BEGIN { exit(0); }' -n 'dtrace:::BEGIN, END' -P dtrace \
	-n 'tick-10ms /0/ {}' >/dev/null
