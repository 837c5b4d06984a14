# timeout: 90
# What only a current thread has is there at on-cpu where the kernel says that the thread
# has come, whatever asks for it: memory, stacks, or what is in the thread while it is on a CPU.
# A clause that asks for nothing of that fires as often beside one that does.
"$DTRACE" -ln sdt:::sched_exit_tp >/dev/null 2>&1 ||
	{ echo "this kernel does not tell that a thread has come"; exit 77; }
look() {
	"$DTRACE" -q -n "$1"'
		syscall::getppid:entry /pid == $target/ { on = 1; }
		syscall::geteuid:entry /pid == $target/ { on = 0; }
		syscall::write:entry /pid == $target && on/ { self->word = arg1; }
		END { printa("%s %@d\n", @); }' -c "python3 words.py" 2>&1 | grep . |
		awk '{ print $1, ($2 > 5 ? "often" : $2) }'
}
cat >words.py <<'EOP'
import os, time
null = os.open('/dev/null', os.O_WRONLY)
os.getppid()
for i in range(20):
    os.write(null, b'word\0')
    time.sleep(0.001)
os.geteuid()
EOP
look 'sched:::on-cpu /on && pid == $target/ { @[curthread->on_cpu ? "on" : "off"] = count(); }'
look 'inline int there = curthread->on_cpu;
	sched:::on-cpu /on && pid == $target && there/ { @["inline"] = count(); }'
look 'sched:::on-cpu /self->word/ { @[copyinstr(self->word)] = count(); self->word = 0; }'
look 'sched:::on-cpu /self->word/ { @[*(userland char *)self->word == 119 ? "w" : "-"] = count();
	self->word = 0; }'
look 'sched:::on-cpu /on && pid == $target/ { n++; }
	sched:::on-cpu /on && pid == $target/ { k += ustackdepth > 0; }
	syscall::geteuid:entry /on && pid == $target/ { @[n == k && n > 5 ? "same" : "other"] = sum(9); }'
look 'sched:::on-cpu /on && pid == $target/ { n++; }
	sched:::off-cpu /on && pid == $target/ { k++; }
	syscall::geteuid:entry /on && pid == $target/ { @[n == k && n > 5 ? "same" : "other"] = sum(9); }'
