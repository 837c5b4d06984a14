# Descriptors that were closed are nobody else's.
"$DTRACE" -q -o file -n 'BEGIN { printf("x"); trace(*(int *)8); } END { printf("y\n"); }
	tick-1ms { exit(0); }' 0<&- 1>&- 2>&-
echo "status $?"
cat file
"$DTRACE" -qn 'BEGIN { printf("x\n"); exit(0); }' 1>&- 2>err
echo "status $?"
cat err
"$DTRACE" -qn 'BEGIN { printf("x\n"); exit(0); }' 0<&- 2>&-
echo "status $?"
