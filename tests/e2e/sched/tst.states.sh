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
