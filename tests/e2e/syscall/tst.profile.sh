# A busy process is seen on its CPU; how often depends on the machine.
"$DTRACE" -q -n 'profile-997 /pid == $target/ { @ = count(); }' \
	-c "$WORKLOAD getppid:3000000" | awk 'NF { print ($1 > 20) }'
