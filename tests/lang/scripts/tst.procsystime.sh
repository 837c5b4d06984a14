# Counts and times of a command's system calls: which of them to print is chosen
# by options, and the totals come last.

procsystime() {
	local count=0 elapsed=0 oncpu=0 totals=0 c
	OPTIND=1
	while getopts acoeT c; do
		case $c in
		a) count=1; elapsed=1; oncpu=1; totals=1 ;;
		c) count=1 ;;
		e) elapsed=1 ;;
		o) oncpu=1 ;;
		T) totals=1 ;;
		esac
	done
	shift $((OPTIND - 1))
	"$DTRACE" -n '
 #pragma D option quiet

 /* command line arguments */
 inline int OPT_elapsed	= '$elapsed';
 inline int OPT_cpu	= '$oncpu';
 inline int OPT_count	= '$count';
 inline int OPT_totals	= '$totals';

 dtrace:::BEGIN
 {
	self->start = 0;
	totals = 0;
 }

 /* main filter, and the start of the clocks */
 syscall:::entry
 /pid == $target && (probefunc == "read" || probefunc == "getppid" ||
     probefunc == "nanosleep")/
 {
	OPT_elapsed ? self->start = timestamp : 1;
	OPT_cpu ? self->vstart = vtimestamp : 1;
	self->ok = 1;
 }

 syscall:::return
 /self->ok/
 {
	this->elapsed = timestamp - self->start;
	this->cpu = vtimestamp - self->vstart;

	OPT_count ? @Counts[probefunc] = count() : 1;
	OPT_elapsed ? @Elapsed[probefunc] = sum(this->elapsed) : 1;
	OPT_cpu ? @CPU[probefunc] = sum(this->cpu) : 1;
	OPT_totals && OPT_count ? @Counts["TOTAL:"] = count() : 1;
	OPT_totals && OPT_elapsed ? @Elapsed["TOTAL:"] = sum(this->elapsed) : 1;
	OPT_totals && OPT_cpu ? @CPU["TOTAL:"] = sum(this->cpu) : 1;

	self->start = 0;
	self->vstart = 0;
	self->ok = 0;
 }

 dtrace:::END
 {
	OPT_elapsed ? printf("Elapsed Times (ns)\n\n") : 1;
	OPT_elapsed ? printf("%16s %18s\n", "SYSCALL", "TIME (ns)") : 1;
	OPT_elapsed ? printa("%16s %@18d\n", @Elapsed) : 1;

	OPT_cpu ? printf("\nCPU Times (ns)\n\n") : 1;
	OPT_cpu ? printf("%16s %18s\n", "SYSCALL", "TIME (ns)") : 1;
	OPT_cpu ? printa("%16s %@18d\n", @CPU) : 1;

	OPT_count ? printf("\nSyscall Counts\n\n") : 1;
	OPT_count ? printf("%16s %18s\n", "SYSCALL", "COUNT") : 1;
	OPT_count ? printa("%16s %@18d\n", @Counts) : 1;
 }
' -c "$1"
}

echo counts
procsystime -c "$WORKLOAD getppid:5 read:3:100"
echo counts and totals
procsystime -cT "$WORKLOAD getppid:5 read:3:100"
echo all
procsystime -a "$WORKLOAD getppid:5 read:3:100 sleep:1:1000"
