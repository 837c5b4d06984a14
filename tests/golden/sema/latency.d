/* How long reads take, by program. */
syscall::read:entry
/pid != 1/
{
	self->start = timestamp;
	self->who = execname;
}

syscall::read:return
/self->start/
{
	this->ns = timestamp - self->start;
	@latency[self->who, probefunc] = quantize(this->ns);
	@total = sum(this->ns);
	self->start = 0;
	self->who = 0;
}

END
{
	normalize(@total, 1000);
	printa("%-16s %s %@d\n", @latency);
	printa(@total);
}
