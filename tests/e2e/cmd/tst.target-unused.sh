# A program for a command can be checked and its probes listed without it.
echo 'syscall::getpid:entry /pid == $target/ {}' >x.d
"$DTRACE" -es x.d -c 'touch made' && echo sound
"$DTRACE" -ls x.d -c 'touch made' | awk 'NR > 1 { print $2, $(NF - 1), $NF }'
"$DTRACE" -es x.d -c ./absent 2>&1
ls made 2>&1 | grep -o 'No such'
