# Without -q the end of the target is told, with its status.
"$DTRACE" -n 'BEGIN {}' -c 'true' >/dev/null
"$DTRACE" -n 'BEGIN {}' -c "sh -c 'exit 3'" >/dev/null
"$DTRACE" -n 'BEGIN {}' -c "sh -c 'kill -USR1 \$\$'" >/dev/null
echo "status $?"
