# needs: unshare
# In a pid namespace of its own, as in a container: probes see the machine's
# numbers, so $target and $pid are those, and names of the command's addresses
# are found all the same.  A process that is somebody else's cannot be told.
cat >inner <<'X'
"$DTRACE" -q -n 'BEGIN { printf("%d %d\n", pid == $pid, $target != $1); }
	syscall::getppid:entry /pid == $target/ { @ = count(); @u[ustack(1)] = count(); }' \
	-c "$WORKLOAD getppid:300" 2
"$DTRACE" -q -n 'BEGIN { exit(0); }' -p $$
echo "status $?"
X
unshare -p -f --mount-proc bash inner 2>err
cat err
