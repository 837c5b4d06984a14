# The latency of every system call of a child, a distribution for each; all calls
# that return are in one.
cat >latency.d <<'D'
#!/usr/sbin/dtrace -s
#pragma D option quiet

syscall:::entry
/pid == $target/
{
	self->start = timestamp;
}

syscall:::return
/self->start/
{
	@[probefunc] = quantize(timestamp - self->start);
	self->start = 0;
}
D
"$DTRACE" -s latency.d -c "$WORKLOAD getppid:500 write:20:10" >out
awk 'NF == 1 { name = $1 } /\|/ { n[name] += $NF } END { print n["getppid"], n["write"] }' out
grep -c -- '------------- Distribution -------------' out | awk '{ print ($1 > 5) }'
