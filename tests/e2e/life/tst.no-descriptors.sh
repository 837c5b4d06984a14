# The command that is started inherits no descriptors of the tracer.
"$DTRACE" -q -n 'BEGIN {}' -c 'sh -c "ls /proc/self/fd | wc -l >count"'
cat count
