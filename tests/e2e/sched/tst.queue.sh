# timeout: 90
# Whoever gets a CPU leaves a queue for that, and leaves the CPU as often; who sleeps
# is woken.  (Where the kernel runs no programs when some thread leaves, which shows
# in that the next one to leave has not come before, queues cannot be exact; and nobody
# notices who is woken by an interrupt of such a thread.)
cat >script <<'EOF'
sched:::off-cpu /last[cpu] && last[cpu] != (uintptr_t)curthread/ { hidden++; }
sched:::off-cpu { last[cpu] = args[0]->pr_addr; }
sched:::on-cpu /ppid == $target/ { on[tid]++; }
sched:::off-cpu /ppid == $target/ { off[tid]++; }
sched:::sleep /ppid == $target/ { slept[tid]++; }
sched:::wakeup /args[1]->pr_ppid == $target/ { woken[args[0]->pr_lwpid]++; }
sched:::enqueue /args[1]->pr_ppid == $target/ { came[args[0]->pr_lwpid]++; }
sched:::dequeue /args[1]->pr_ppid == $target/ { left[args[0]->pr_lwpid]++; }
sched:::dequeue /args[1]->pr_ppid == $target &&
    (args[2]->cpu_id != cpu || args[3] != 0)/ { printf("elsewhere\n"); }
syscall::getppid:entry /ppid == $target && arg0 == 4711/
{ woken[tid] = slept[tid] = came[tid] = left[tid] = on[tid] = off[tid] = 0; }
syscall::geteuid:entry /ppid == $target && arg0 == 4711/ {
	printf("%d %d %d\n", on[tid] == off[tid],
	    hidden ? left[tid] <= on[tid] : left[tid] == on[tid],
	    slept[tid] >= 20 && woken[tid] > 0 && came[tid] > 0);
	n++;
}
END { printf("%d\n", n); }
EOF
"$DTRACE" -q -x dynvarsize=16m -s script -c "python3 $HERE/kids.py" | sort | uniq -c | awk 'NF > 1 { $1 = $1; print }'
