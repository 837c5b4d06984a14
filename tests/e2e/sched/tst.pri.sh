# A thread that gives up its CPU, and one that changes its priority.
cat >pri.py <<'EOF'
import os
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
"$DTRACE" -q -c "python3 pri.py" -n '
	sched:::surrender /args[1]->pr_pid == $target && args[0]->pr_lwpid == tid/
	{ @[probename, 0] = count(); }
	sched:::change-pri /pid == $target && args[1]->pr_pid == pid/
	{ @[probename, args[2]] = count(); }
	END { printa("%s %d %@d\n", @); }' | sort
