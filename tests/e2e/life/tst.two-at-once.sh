# Two traces do not see each other.
"$DTRACE" -q -n 'syscall::getppid:entry /pid == $target/ { @ = count(); }' \
	-c "$WORKLOAD getppid:300" >one &
"$DTRACE" -q -n 'syscall::getppid:entry /pid == $target/ { @ = count(); }' \
	-c "$WORKLOAD getppid:200" >two
wait
cat one two
