# What is kept in a task or with it is that of the thread that comes, also where nothing else is
# asked for.
cat >script <<'EOS'
sched:::off-cpu /pid == $target && tid != pid/
{ self->tid = tid; self->text = execname; self->list[tid, 7] = uid * 1000 + gid; }
sched:::on-cpu /self->tid/
{
	@[self->tid == tid, self->text == execname, pid == $target, ppid == $1,
	    self->list[tid, 7] == uid * 1000 + gid, probename] = count();
	self->tid = 0; self->text = 0; self->list[tid, 7] = 0;
}
END { printa("%d %d %d %d %d %s\n", @); }
EOS
"$DTRACE" -q -s script -c "python3 $HERE/threads.py" 0 | grep . | sed "s/ [01] 1 on-cpu/ ppid 1 on-cpu/"
