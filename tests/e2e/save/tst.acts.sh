# What a trace did when it was saved is not done again: system(), freopen().  The
# status is that of the trace.
"$DTRACE" -q -w -x save=saved -n 'BEGIN { system("touch made"); freopen("other");
	printf("to another\n"); freopen(""); printf("here\n"); exit(4); }'
echo "status $?"
ls made other
rm made other
"$DTRACE" -q -r saved
echo "status $?"
ls made other 2>&1 | sed 's/.*: N/N/'
# Options of the trace hold, and those of now are stronger.
"$DTRACE" -x cpu=0 -x quiet -x save=saved -n 'BEGIN { trace(1); exit(0); }'
"$DTRACE" -r saved
echo
"$DTRACE" -x quiet=0 -r saved | sed 's/ *$//'
