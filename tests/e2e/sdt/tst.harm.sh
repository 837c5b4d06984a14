# Where a program would end the kernel there is no probe, and who asks is told.
case $(uname -r) in [0-6].*) echo "a program does no harm there before Linux 7.0"; exit 77 ;; esac
for provider in sdt rawtp; do
	"$DTRACE" -n $provider:::sched_set_need_resched_tp 2>&1 | grep -o 'a program there.*'
done
"$DTRACE" -lP sdt | awk '/sched_set_need_resched/ { n++ } END { print n + 0 }'
