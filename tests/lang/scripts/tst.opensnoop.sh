# The files that a command opens, with columns to choose: what opensnoop scripts
# do with their options, as constants that `?:` asks in each clause.

opensnoop() {
	local opt_time=0 opt_fail=0 opt_err=0 opt_zone=0 opt_name=0 name=. c
	OPTIND=1
	while getopts efn:vx c; do
		case $c in
		e) opt_err=1 ;;
		f) opt_fail=1; opt_err=1 ;;
		n) opt_name=1; name=$OPTARG ;;
		v) opt_time=1 ;;
		x) opt_fail=1 ;;
		esac
	done
	shift $((OPTIND - 1))
	"$DTRACE" -n '
 /*
  * Command line arguments
  */
 inline int OPT_time 	= '$opt_time';
 inline int OPT_fail 	= '$opt_fail';
 inline int OPT_err 	= '$opt_err';
 inline int OPT_name 	= '$opt_name';
 inline string NAME 	= "'$name'";

 #pragma D option quiet
 #pragma D option switchrate=10hz

 /*
  * Print header
  */
 dtrace:::BEGIN
 {
	/* print optional headers */
	OPT_time ? printf("%-14s ", "TIME") : 1;
	printf("%5s %-10s %3s ", "UID", "COMM", "FD");
	OPT_err ? printf("%3s ", "ERR") : 1;
	printf("%s\n", "PATH");
 }

 /*
  * Save the address of the path; the text is there when the call returns
  */
 syscall::open:entry, syscall::openat:entry
 /pid == $target/
 {
	self->pathp = probefunc == "open" ? arg0 : arg1;
	self->ok = OPT_name == 1 && NAME != execname ? 0 : 1;
 }

 /*
  * Print line, unless only failures are wanted
  */
 syscall::open:return, syscall::openat:return
 /self->ok && (! OPT_fail || arg0 == -1 || (int)arg0 < 0)/
 {
	OPT_time ? printf("%-14d ", timestamp/1000 ? 1 : 0) : 1;
	printf("%5d %-10s %3d ", uid, execname, (int)arg0);
	OPT_err ? printf("%3d ", (int)errno) : 1;
	printf("%s\n", copyinstr(self->pathp));
 }

 syscall::open:return, syscall::openat:return
 /self->ok/
 {
	self->pathp = 0;
	self->ok = 0;
 }
' -c "$1"
}

opensnoop "$WORKLOAD open:2 close:1"
opensnoop -e "$WORKLOAD open:1"
opensnoop -x "$WORKLOAD open:1 open-other:1"
opensnoop -vf "$WORKLOAD open:1"
opensnoop -n nobody "$WORKLOAD open:1"
