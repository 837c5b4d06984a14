# A busy process is seen on its CPU; how often depends on the machine.
"$DTRACE" -q -n 'profile-997 /pid == $target/ { @ = count(); }' \
	-c "$WORKLOAD getppid:3000000" 2>err | awk 'NF { print ($1 > 20) }'
but_for_the_clock <err >&2
