# The command that is started inherits no descriptors of the tracer.
"$DTRACE" -q -o out -n 'BEGIN {}' -c 'sh -c "ls /proc/self/fd | wc -l >count"'
cat count
