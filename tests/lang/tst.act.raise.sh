# A signal to the process that does it; no row is of that.
"$DTRACE" -wn 'syscall::clock_nanosleep:entry /pid == $target/
	{ raise(15); }' -c "sleep 100" 2>&1 >out |
	sed 's/pid [0-9]*/pid N/' | tail -n 1
cat out
# one that is caught, when the call has been made
cat >catch <<'END'
trap 'echo caught; exit' USR1
echo called
while :; do :; done
END
"$DTRACE" -qwn 'syscall::write:entry /pid == $target && !n++/ { raise(10); }' \
	-c "$BASH catch"
