# timeout: 100
# Sizes that cannot be had are refused or lowered, with a message; never a crash.
for x in strsize=0 strsize=1 strsize=1g bufsize=0 bufsize=1 aggsize=0 \
	aggsize=1 dynvarsize=0 dynvarsize=1 scratchsize=0 scratchsize=1g \
	switchrate=0 switchrate=1d aggrate=0 cpu=9999 cpu=-1 strsize=-1; do
	timeout -s KILL 5 "$DTRACE" -q -x $x -n 'BEGIN { @ = count(); x["a"] = 1;
		self->s = strjoin(execname, probename); exit(0); }' >/dev/null 2>err
	status=$?
	[ $status = 0 ] || [ $status = 1 -a -s err ] || echo "$x: status $status"
	grep -qi 'libbpf\|verifier\|permission' err && echo "$x: $(cat err)"
done
:
