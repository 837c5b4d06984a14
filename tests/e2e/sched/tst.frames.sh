# timeout: 90
# At on-cpu the thread is there, with the stack of its process, on any kernel that has a place
# for it; and it comes as often as it leaves.
"$DTRACE" -ln sdt:::sched_exit_tp >/dev/null 2>&1 ||
	"$DTRACE" -ln 'fbt::finish_task_switch*:entry' >/dev/null 2>&1 ||
	{ echo "no place where a thread has come can be probed"; exit 77; }
cat >script <<'EOD'
syscall::getppid:entry /pid == $target/ { on = 1; off = got = bare = 0; }
sched:::off-cpu /on && pid == $target/ { off++; }
sched:::on-cpu /on && pid == $target/
{ got++; bare += ustackdepth == 0; @s[ustack(3)] = count(); }
syscall::geteuid:entry /pid == $target/ { o = off; g = got; b = bare; }
END { printf("%s, %d more, %d bare\n", o > 10 ? "many" : "few", o - g, b); printa(@s); }
EOD
"$DTRACE" -q -s script -c "python3 $HERE/../sdt/switches.py" >out 2>err
grep bare out
grep -c sleep out >/dev/null && echo sleeps
cat err
