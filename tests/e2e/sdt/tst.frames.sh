# timeout: 90
# A stack begins in the function that has the tracepoint: whether it shares what
# calls programs with others (sched_waking and sched_wakeup do), and whether others
# trace it.
cat >script <<'END'
sdt:sched::sched_switch, sdt:sched::sched_wakeup, sdt:sched::sched_waking
/progenyof($target)/
{ @[probename, stack(1)] = count(); @callers[probename, func(caller)] = count(); }
END { printa("%s %k", @); printa("%s called by %a\n", @callers); }
END
run() {
	"$DTRACE" -q -s script -c 'bash -c "for i in {1..20}; do echo | cat; done"' >$1 2>err
	# On a busy machine not all that others do is noticed.
	grep -v 'was noticed in time' err >&2
	# No frame of BPF's, nor of who calls it.
	grep -e bpf -e traceiter -e dt_ $1
	awk '/ called by / { n[$1]++ } END { print length(n) }' $1
	awk '$1 == "sched_switch" && !/called/ { getline; sub(/\+.*/, ""); print $1 }
		/^sched_switch called by vmlinux.schedule$/' $1 | sort -u
}
run alone
"$DTRACE" -q -o other -n 'BEGIN { printf("started\n"); } sdt:sched:: { @ = count(); }' &
pid=$!
until_text other started
run together
kill -TERM $pid
wait $pid 2>/dev/null
