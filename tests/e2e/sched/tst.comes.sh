# timeout: 90
# on-cpu fires in the thread that comes: variables are its own.  What only a current
# thread has faults at least where a thread begins (doc/decisions/012-who-comes.md).
cat >script <<'EOF'
sched:::off-cpu, sched:::on-cpu /pid == $target && tid != pid/
{ @all[probename, execname, curpsinfo->pr_fname, ppid == curthread->real_parent->tgid,
	uid, gid, curthread->tgid == pid && curthread->pid == tid,
	progenyof($target), curlwpsinfo->pr_lwpid == tid] = count(); }
sched:::off-cpu /pid == $target && tid != pid/
{
	self->word = tid; self->text = execname; self->list[tid, 7] = tid;
	self->v = vtimestamp; @d["frames", stackdepth > 1] = count();
	self->sys = curlwpsinfo->pr_syscall;
}
sched:::on-cpu /self->word/
{
	@v["kept", self->word == tid, self->text == execname,
	    self->list[tid, 7] == tid, self->v <= vtimestamp,
	    self->sys == curlwpsinfo->pr_syscall] = count();
	@d["frames", stackdepth > 1] = count();
	self->word = 0; self->text = 0; self->list[tid, 7] = 0;
}
sched:::on-cpu /pid == $target && tid != pid && !begun[tid]/
{
	begun[tid] = 1;
	@u["begins", ustackdepth, curpsinfo->pr_psargs == execname] = count();
	copyin(1, 1);
}
ERROR /pid == $target && tid != pid/ { @e["fault", arg4, execname] = count(); }
/* Of each CPU's idle thread. */
sched:::on-cpu /!tid/ { self->cpu = cpu + 1; }
sched:::off-cpu /!tid && self->cpu && self->cpu != cpu + 1/ { printf("mixed\n"); }
EOF
"$DTRACE" -q -s script -c "python3 $HERE/threads.py" 2>&1 |
	sed 's/  *[0-9]*$//; s/  */ /g; /^dtrace: error.*illegal operation/d' | grep . | sort -u
