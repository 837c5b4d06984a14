# Probes of one switch fire in the order of the manual, whatever that of the program.
cat >script <<'EOF'
sched:::on-cpu /seq[cpu]/ { @[seq[cpu] * 10 + 6] = count(); seq[cpu] = 0; }
sched:::off-cpu /seq[cpu]/ { seq[cpu] = seq[cpu] * 10 + 5; }
sched:::dequeue /seq[cpu]/ { seq[cpu] = seq[cpu] * 10 + 4; }
sched:::enqueue /seq[cpu] && pid == $target && args[0]->pr_lwpid == tid/
{ seq[cpu] = seq[cpu] * 10 + 3; }
sched:::preempt /pid == $target/ { seq[cpu] = 2; }
sched:::sleep /pid == $target/ { seq[cpu] = 1; }
END { printa("%d\n", @); }
EOF
# It shares a CPU with one that spins, until it was preempted 20 times.
cat >shares.py <<'EOF'
import os, re, time
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
parent = os.getpid()
spins = os.fork()
if not spins:
    while os.getppid() == parent:
        pass
    os._exit(0)
def preempted():
    with open('/proc/thread-self/status') as f:
        return int(re.search(r'nonvoluntary_ctxt_switches:\s+(\d+)', f.read())[1])
start = preempted()
while preempted() < start + 20:
    time.sleep(0.001)
    end = time.monotonic() + 0.01
    while time.monotonic() < end:
        pass
os.kill(spins, 9)
EOF
"$DTRACE" -q -s script -c "python3 shares.py" >out
# To the idle thread nothing leaves a queue.
sed -n 's/^\([0-9]*\)$/\1/p' out | tr -d 4 | sort -u | grep .
