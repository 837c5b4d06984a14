# Nobody reads any more: the trace ends.
bpf_before
timeout 10 "$DTRACE" -q -x switchrate=100hz -n 'tick-5ms { printf("line\n"); }' 2>err | head -n 2
echo "status ${PIPESTATUS[0]}" | grep -v 'status 124'  >/dev/null && echo ended
bpf_after
