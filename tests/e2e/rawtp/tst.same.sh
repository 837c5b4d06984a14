# timeout: 60
# The same firings as sdt's, and the words alone.
"$DTRACE" -qn 'rawtp:sched::sched_process_exit
	/((struct task_struct *)arg0)->real_parent->pid == $target/ { @["raw"] = count(); }
	sdt:sched::sched_process_exit
	/args[0]->real_parent->pid == $target/ { @["typed"] = count(); }
	rawtp:::sched_switch, sdt:::sched_switch /pid == $target && arg1 == (uint64_t)curthread/
	{ @switches[probeprov] = count(); }
	END { printa("%s %@d\n", @); printa("%s %@d\n", @switches); }' \
	-c 'bash -c "for i in {1..20}; do ( : ); done"' >seen
grep -e raw\  -e typed seen | sort
awk '/^rawtp/ { a = $2 } /^sdt/ { b = $2 } END { print (a == b && a > 0) }' seen
# Without types; and there is one probe for who does not say which.
"$DTRACE" -ln 'rawtp:::sched_switch /args[0]/ { }' 2>&1 | head -1
"$DTRACE" -ln 'sched_switch' | awk 'NR > 1 { print $2 }'
"$DTRACE" -lP rawtp | awk 'NR > 1 { print $3, $4 }' | sort >raw
"$DTRACE" -lP sdt | awk 'NR > 1 { print $3, $4 }' | sort | diff - raw && echo all
