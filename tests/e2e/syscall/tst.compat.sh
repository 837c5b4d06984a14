# Calls by their 32-bit number are counted under their name.
with_32_bit_calls
"$DTRACE" -q -n 'syscall::getppid:entry /pid == $target/ { @ = count(); }' \
	-c "$WORKLOAD getppid32:50 getppid:3"
