# timeout: 300
# Of children that have ended nothing is kept that takes descriptors, and little memory:
# at the end as at the beginning, however many there were.
kids=${WORKLOAD%/*}/kids
n=2000
# watch NAME CHILDREN COMMAND: trace it, and tell the most descriptors and memory at any time
watch() {
	local pid fds most=0 kb=0 i
	"$DTRACE" -x follow -x usdtwait=stop -Zqn 'pid$target:a.out:early:entry { @ = count(); }
		END { printa("'$1' %@d\n", @); }' -c "$3" >out &
	pid=$!
	while kill -0 $pid 2>/dev/null; do
		fds=$(ls /proc/$pid/fd 2>/dev/null | wc -l)
		((fds > most)) && most=$fds
		i=$(awk '/VmHWM/ { print $2 }' /proc/$pid/status 2>/dev/null)
		[ -n "$i" ] && kb=$i
		sleep 0.05
	done
	wait $pid
	grep . out
	((most < 200)) || echo "$most descriptors for $2 children"
	((kb < 16000 + 4 * $2)) || echo "$kb kB for $2 children"
}
watch children $n "$kids fork:$n:3"
watch programs $((n / 20)) "$kids vfork:$((n / 20)):3"
