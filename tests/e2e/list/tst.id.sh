id=$("$DTRACE" -l -n syscall::getppid:entry | awk 'NR > 1 { print $1 }')
"$DTRACE" -l -i "$id" | awk 'NR > 1 { print $(NF - 1), $NF }'
