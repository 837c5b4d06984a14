# A truss of what a command calls, with the columns that its options ask for, and
# counts at the end.

truss() {
	local pid=0 elapsed=0 counts=0 stacks=0 buffer=0 follow=0 c
	OPTIND=1
	while getopts bcefp c; do
		case $c in
		b) buffer=1 ;;
		c) counts=1 ;;
		e) elapsed=1 ;;
		f) follow=1 ;;
		p) pid=1 ;;
		esac
	done
	shift $((OPTIND - 1))
	"$DTRACE" -x dynvarsize=8m -x evaltime=exec -n '
 #pragma D option quiet
 #pragma D option switchrate=10

 inline int OPT_elapsed	= '$elapsed';
 inline int OPT_counts	= '$counts';
 inline int OPT_follow	= '$follow';
 inline int OPT_printid	= '$pid';
 inline int OPT_buffer	= '$buffer';

 dtrace:::BEGIN
 {
	/* print header */
	OPT_printid ? printf("%-5s  ", "WHO") : 1;
	OPT_elapsed ? printf("%7s ", "ELAPSD") : 1;
	printf("SYSCALL(args) \t\t = return\n");

	/* globals */
	trackedpid[0] = 0;
	self->child = 0;
	this->type = 0;
 }

 /* Save syscall entry info */
 syscall:::entry
 /(pid == $target || (OPT_follow && progenyof($target))) &&
     (probefunc == "openat" || probefunc == "read" || probefunc == "close" ||
     probefunc == "write" || probefunc == "getppid" || probefunc == "clone")/
 {
	self->start = timestamp;
	self->vstart = vtimestamp;
	self->arg0 = arg0;
	self->arg1 = arg1;
	self->arg2 = arg2;

	/* count occurances */
	OPT_counts == 1 ? @Counts[probefunc] = count() : 1;
 }

 /* syscall with string */
 syscall::openat:return
 /self->start/
 {
	this->elapsed = timestamp - self->start;
	self->start = 0;
	OPT_printid ? printf("%-5s  ", pid == $target ? "cmd" : "child") : 1;
	OPT_elapsed ? printf("%7s ", this->elapsed > 0 ? "some" : "none") : 1;
	printf("%s(\"%S\", 0x%X, 0x%X)\t\t = %d %d\n", probefunc,
	    copyinstr(self->arg1), self->arg2, 0, (int)arg0, (int)errno);
 }

 syscall::write:return
 /self->start && OPT_buffer/
 {
	self->text = (char *)copyin(self->arg1, self->arg2);
	printf("%s(0x%X, \"%S\", 0x%X)\t\t = %d %d\n", probefunc, self->arg0,
	    stringof(self->text), self->arg2, (int)arg0, (int)errno);
	self->start = 0;
	self->text = 0;
 }

 /* print 3 args, return as decimal */
 syscall:::return
 /self->start/
 {
	this->elapsed = timestamp - self->start;
	self->start = 0;
	OPT_printid ? printf("%-5s  ", pid == $target ? "cmd" : "child") : 1;
	OPT_elapsed ? printf("%7s ", this->elapsed > 0 ? "some" : "none") : 1;
	this->errstr = errno == 0 ? "" : strjoin(" Err#", lltostr(errno));
	probefunc == "getppid" || probefunc == "clone" ?
	    printf("%s()\t\t = %s%s\n", probefunc, (int)arg0 > 0 ? "pid" : "0",
	    this->errstr) :
	    printf("%s(0x%X, 0x%X)\t\t = %d%s\n", probefunc, self->arg0,
	    self->arg2, (int)arg0, this->errstr);
	self->arg0 = 0;
	self->arg1 = 0;
	self->arg2 = 0;
 }

 /* print counts */
 dtrace:::END
 {
	OPT_counts == 1 ? printf("\n%-32s %16s\n", "CALL", "COUNT") : 1;
	OPT_counts == 1 ? printa("%-32s %@16d\n", @Counts) : 1;
 }
' -c "$1"
}

truss "$WORKLOAD getppid:1 open:1 read:1:16 close:1"
truss -cpe "$WORKLOAD getppid:2 write:1:3"
truss -fp "$WORKLOAD vfork:1:1"
truss -b "$WORKLOAD write:1:5 writeend:1:4"
