cat >latency.d <<'D'
#pragma D option quiet
syscall::nanosleep:entry
/pid == $target/
{
	self->start = timestamp;
}

syscall::nanosleep:return
/self->start/
{
	this->took = timestamp - self->start;
	@calls = count();
	@short = sum(this->took < 20000000);
	@long = sum(this->took > 60000000000);
	self->start = 0;
}
D
"$DTRACE" -s latency.d -c "$WORKLOAD -t 3 sleep:5:20000"
