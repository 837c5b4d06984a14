# A thread that gives up its CPU, and one that changes its priority, from which to which:
# also whose priority a lock raises and lowers again.
renice -n 0 -p $$ >/dev/null
cat >pri.py <<'EOF'
import os
os.setpgid(0, 0)
for i in range(7):
    os.sched_yield()
os.setpriority(os.PRIO_PROCESS, 0, 5)
os.setpriority(os.PRIO_PROCESS, os.getpid(), 6)
os.setpriority(os.PRIO_PGRP, 0, 7)
os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
try:
    os.setpriority(99, 0, 8)
except OSError:
    pass
EOF
# A thread of real time waits for a mutex of this one's, which has its priority until then.
cat >lends.py <<'EOF'
import ctypes, os, threading, time
libc = ctypes.CDLL(None)
attr, mutex = ctypes.create_string_buffer(64), ctypes.create_string_buffer(64)
libc.pthread_mutexattr_init(attr)
libc.pthread_mutexattr_setprotocol(attr, 1)     # PTHREAD_PRIO_INHERIT
libc.pthread_mutex_init(mutex, attr)
def waits():
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    libc.pthread_mutex_lock(mutex)
    libc.pthread_mutex_unlock(mutex)
libc.pthread_mutex_lock(mutex)
threading.Thread(target=waits).start()
def priority():
    return open('/proc/thread-self/stat').read().rsplit(')')[1].split()[15]
end = time.monotonic() + 10 * int(os.environ.get('PATIENCE', 1))
while priority() == '20' and time.monotonic() < end:
    time.sleep(0.001)
libc.pthread_mutex_unlock(mutex)
EOF
"$DTRACE" -q -c "python3 pri.py" -n '
	sched:::surrender /args[1]->pr_pid == $target && args[0]->pr_lwpid == tid/
	{ @[probename, 0, 0] = count(); }
	sched:::change-pri /pid == $target && args[1]->pr_pid == pid/
	{ @[probename, args[0]->pr_pri, args[2]] = count(); }
	END { printa("%s %d %d %@d\n", @); }' | sort
"$DTRACE" -q -c "python3 lends.py" -n '
	sched:::change-pri /pid == $target && args[1]->pr_pid == pid/
	{ printf("%s: %d to %d\n", args[0]->pr_lwpid == tid ? "its own" : "another\47s",
		args[0]->pr_pri, args[2]); }' | sort
