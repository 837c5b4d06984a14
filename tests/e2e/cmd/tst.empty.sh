# An empty program, where one is allowed, has no probes: there is nothing to trace.
"$DTRACE" -c true -n ''
echo $?
"$DTRACE" -x empty -c true -n ''
echo $?
"$DTRACE" -q -x empty -c true -n ' /* */ '
echo $?
