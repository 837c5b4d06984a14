# An empty program, where one is allowed, traces nothing until the end.
"$DTRACE" -c true -n ''
echo $?
"$DTRACE" -x empty -c true -n '' && "$DTRACE" -q -x empty -c true -n ' /* */ '
