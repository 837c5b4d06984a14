# timeout: 60
# A CPU that goes and comes back while it is traced: what ran elsewhere meanwhile is
# counted there, and nothing is lost.  Not done unasked: threads that were bound to
# that CPU stay unbound.
online=$(ls /sys/devices/system/cpu/cpu[1-9]*/online 2>/dev/null | tail -n 1)
[ "$E2E_HOTPLUG" ] || { echo 'it takes a CPU away; set E2E_HOTPLUG=1'; exit 77; }
[ -w "$online" ] || { echo 'no CPU can be taken away here'; exit 77; }
bpf_before
"$DTRACE" -q -x bufsize=16m -n '
	syscall::getppid:entry /pid == $target/ { @[cpu] = count(); self->n++; }
	syscall::getppid:entry /pid == $target && self->n % 1000 == 0/ { printf("row\n"); }
	profile-97 { @samples = count(); }
	END { printa("fired %d %@d\n", @); }' \
	-c "$WORKLOAD -t 4 getppid:2000000" >out 2>err &
pid=$!
until grep -q row out; do sleep 0.01; done
for i in 1 2 3; do
	sleep 0.1
	echo 0 >"$online"
	sleep 0.1
	echo 1 >"$online"
done
wait $pid
echo "status $?"
awk '/fired/ { n += $3 } /row/ { rows++ } END { print n, rows }' out
but_for_the_clock <err
bpf_after
