# Every event that is made from a tracepoint is listed, in its group; and what
# system calls have is left to the provider syscall.
mkdir tracing
unshare -m sh -c 'mount -t tracefs none tracing &&
	cat tracing/available_events' >events 2>err ||
	{ cat err; exit 77; }
grep -v -e '^syscalls:' -e '^ftrace:' events | sort >want
"$DTRACE" -l -P sdt >list || exit
awk 'NR > 1 { print $3 ":" $4 }' list | sort >have
grep -v '^ungrouped:' have | diff - want && echo same
awk 'NR > 1 && ($2 != "sdt" || NF != 4)' list
[ "$(wc -l <have)" = "$(uniq have | wc -l)" ] && echo once each
# By group, by name, by pattern.
"$DTRACE" -l -n 'sdt:sched::sched_switch' | awk 'NR > 1 { print $2, $3, $4 }'
"$DTRACE" -l -n 'sdt:::sched_sw?tch' | awk 'NR > 1 { print $2, $3, $4 }'
"$DTRACE" -l -n 'sdt:signal::' | awk 'NR > 1 { print $2, $3, $4 }'
# With the types of the arguments.
"$DTRACE" -lvn sdt:signal::signal_generate | grep 'args\['
