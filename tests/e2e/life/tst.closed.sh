# Started with some of its descriptors closed: what is said does not end up in a
# file of its own, what cannot be written is an error, and a command is started
# with the same ones closed.
bpf_before
run() { timeout 10 "$DTRACE" -q "$@" -n 'BEGIN { trace(7); exit(3); }'; }
run -o file <&- >&- 2>&-
echo "none $?"
cat file
run <&- 2>/dev/null | grep -c 7
run 2>&- | grep -c 7
run >&- 2>err
echo "no output $?"
tail -n 1 err
run >&- 2>&-
echo "no output, no messages $?"
"$DTRACE" -s - <&- 2>&1 | tail -n 1
"$DTRACE" -q -o file2 -n 'BEGIN { printf("started\n"); }' \
	-c "sh -c '[ -e /proc/\$\$/fd/0 ] || [ -e /proc/\$\$/fd/1 ] || exit 4'" <&- >&- 2>err
cat err
bpf_after
