# A process that was only watched goes on.
"$WORKLOAD" sleep:1000:50000 &
watched=$!
"$DTRACE" -q -n 'syscall::nanosleep:entry /pid == $target/ { exit(0); }' -p $watched
kill -0 $watched && echo alive
killed $watched
:
