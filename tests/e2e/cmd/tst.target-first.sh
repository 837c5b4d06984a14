# $target is the first on the command line, be it a command or a process.
sleep 1000 &
first() { "$DTRACE" -qn 'BEGIN { printf("%d %d\n", $target == $1, $target > 0); exit(0); }' "$@" | head -n 1; }
first $! -p $! -c true
first $! -c true -p $!
first $! -c true -p $! -c false
kill $!
