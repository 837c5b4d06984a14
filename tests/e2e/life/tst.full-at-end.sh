# Also when only the last write fails.
timeout 10 "$DTRACE" -q -n 'BEGIN { printf("x"); exit(0); }' >/dev/full
echo "status $?"
timeout 10 "$DTRACE" -l -P dtrace >/dev/full
echo "status $?"
