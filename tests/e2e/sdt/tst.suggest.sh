# Slips of the fingers.
try() { "$DTRACE" "$@" 2>&1 | grep '^hint'; }
try -n 'sdtt:::'
try -n 'sdt:::sched_swich'
try -n 'sdt:shed::sched_switch'
try -n 'sched:sched_switch'
try -n 'sdt:::sched_switch { trace(args[9]); }'
# What other systems call so; each answer is there.
for name in interrupt-start interrupt-complete callout-start callout-end taskq-enqueue \
	taskq-exec-start taskq-exec-end; do
	use=$("$DTRACE" -n sdt:::$name 2>&1 | sed -n 's/.*other systems have that; use //p')
	echo "$name $use"
	"$DTRACE" -ln "$use" | grep -c "${use##*:}"
done
