# Who goes to sleep is asleep when it leaves its CPU, and awake when it comes back;
# who only gave it up is not: as many as the kernel's own voluntary switches.
cat >sleeps.py <<'P'
import os, time
def voluntary():
    return int(open('/proc/self/status').read().split('\nvoluntary_ctxt_switches:')[1].split()[0])
before = voluntary()
os.getppid()
for i in range(100):
    time.sleep(0.0005)
    os.sched_yield()
os.getppid()
open('voluntary', 'w').write(str(voluntary() - before))
P
"$DTRACE" -qn '
	self int counts;
	syscall::getppid:entry /pid == $target/ { self->counts = !self->counts; }
	sched:::off-cpu /self->counts && curlwpsinfo->pr_state == SSLEEP/
	{
		n++;
		self->slept = curlwpsinfo->pr_sname == 0x53;
	}
	sched:::on-cpu /self->slept/
	{
		awake += curlwpsinfo->pr_state != SSLEEP;
		self->slept = 0;
	}
	END { printf("%d %d\n", n, awake); }' -c 'python3 sleeps.py' >out
read -r n awake <out
echo $((n > 10)) $((n - $(cat voluntary))) $((n - awake))
# What it sleeps for: time, which is a queue, and then a lock of the program's.  Another CPU
# may wake it while that is read; then it no longer sleeps for anything.
cat >locks.py <<'P'
import os, threading, time
os.getppid()
for i in range(20):
    time.sleep(0.001)
os.getppid()
lock = threading.Lock()
def hold(held):
    with lock:
        held.set()
        time.sleep(0.01)
for i in range(20):
    held = threading.Event()
    t = threading.Thread(target=hold, args=[held])
    t.start()
    held.wait()
    with lock:
        t.join(0)
    t.join()
P
"$DTRACE" -qn '
	self int part;
	syscall::getppid:entry /pid == $target/ { self->part++; }
	sched:::off-cpu /self->part/
	{
		this->slept = curlwpsinfo->pr_state == SSLEEP;
		this->what = curlwpsinfo->pr_stype;
		this->sleeps = curlwpsinfo->pr_state == SSLEEP;
		@n[self->part == 1 ? "time" : "lock",
		    !this->slept ? "runs" : this->sleeps ? "sleeps" : "is woken",
		    this->what == SOBJ_NONE ? "for nothing" :
		    this->what == SOBJ_CV ? "in a queue" :
		    this->what == SOBJ_USER ? "for a lock" : "?"] = count();
	}
	END { printa("%s %s %s %@d\n", @n); }' -c 'python3 locks.py' | sort |
	awk '/time sleeps in a queue/ || /lock sleeps for a lock/ { print $1, ($NF > 10); next }
		NF && !/is woken/ && !/runs for nothing/ && !/lock sleeps in a queue/'
