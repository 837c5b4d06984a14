"$DTRACE" -l -n 'syscall::getppid:' | awk 'NR > 1 { print $2, $(NF - 1), $NF }'
"$DTRACE" -l -f getppid | awk 'NR > 1 { print $2, $(NF - 1), $NF }'
"$DTRACE" -l -n 'syscall::getpp?d:e*' | awk 'NR > 1 { print $2, $(NF - 1), $NF }'
