# The tree as it was read, and with its types.
"$DTRACE" -x tree=1 -en 'BEGIN { trace(1 + pid); }' 2>&1
"$DTRACE" -x tree=2 -en 'BEGIN { trace(1 + pid); }' 2>&1 | grep -c 'pid_t builtin'
"$DTRACE" -x tree=3 -en 'BEGIN { trace(1 + pid); }' 2>&1 | grep -c pid
