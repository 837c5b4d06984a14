# Where on-cpu fires before the thread is there, who asks for the stack of the process is told,
# once for a probe and for nothing else.
if "$DTRACE" -ln sdt:::sched_exit_tp >/dev/null 2>&1 ||
	"$DTRACE" -ln 'fbt::finish_task_switch*:entry' >/dev/null 2>&1; then
	told=0
else
	told=1
fi
tell() {
	"$DTRACE" -qn "$1" -n 'BEGIN { exit(0); }' >/dev/null 2>said || cat said
	grep -c 'warning: ustack( ) has no frames at sched:::on-cpu' said || true
}
for program in 'sched:::on-cpu { @[ustack()] = count(); }' \
	'sched:::on-cpu /0/ { ustack(3); } sched:::on-cpu { @[execname, ustack(5)] = count(); }' \
	'sched:::on-cpu { @a = count(); } sched:::o*-cpu { if (cpu == 0) { jstack(); } }'; do
	[ $(tell "$program") = $told ] && echo as it should be
done
tell 'sched:::on-cpu { @[stack(), execname] = count(); } sched:::off-cpu { @u[ustack()] = count(); }'
