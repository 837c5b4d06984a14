#!/usr/sbin/dtrace -s
/* flags: -c "$WORKLOAD open:4 open-other:1"
 *
 * Count the opens of each path, and where the paths lie.
 */

#pragma D option quiet

dtrace:::BEGIN
{
	printf("Tracing... Hit Ctrl-C to end.\n");
}

syscall::open*:entry
/pid == $target/
{
	/* save user-land address of pathname */
	self->addr = probefunc == "open" ? arg0 : arg1;
}

syscall::open*:return
/self->addr/
{
	/* fetch pathname */
	this->path = copyinstr(self->addr);
	self->dir = cwd;

	/* turn a relative path into a full one */
	this->full = substr(this->path, 0, 1) == "/" ? this->path :
	    cleanpath(strjoin(self->dir, strjoin("/", this->path)));

	@num[this->full] = count();
	@dirs[dirname(this->full), basename(this->full)] = count();
	@fails[arg0 == -1 || errno ? "failed" : "ok"] = count();

	/* cleanup */
	self->addr = 0;
	self->dir = 0;
}

dtrace:::END
{
	printf("%6s %s\n", "COUNT", "PATHNAME");
	printa("%@6d %s\n", @num);
	printf("\n%-16s %-10s %s\n", "DIR", "FILE", "COUNT");
	printa("%-16s %-10s %@d\n", @dirs);
}
