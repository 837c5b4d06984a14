# A signal without a name of its own.
"$DTRACE" -n 'BEGIN { trace(1); }' -c "sh -c 'kill -40 \$\$'" 2>&1 | grep -o 'terminated by .*'
