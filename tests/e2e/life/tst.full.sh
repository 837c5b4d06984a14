# A full disk ends the trace with a message, and leaves nothing behind.
bpf_before
timeout 10 "$DTRACE" -q -x switchrate=100hz -o /dev/full -n 'tick-10ms { printf("%d\n", n++); }'
echo "status $?"
timeout 10 "$DTRACE" -q -x switchrate=100hz -n 'tick-10ms { printf("%d\n", n++); }' >/dev/full
echo "status $?"
bpf_after
