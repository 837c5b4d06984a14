# needs: unshare hostname getconf nproc
# What scripts of other systems read as variables of their kernel.
"$DTRACE" -qn 'BEGIN {
	printf("%s %s %s %s %s\n", `utsname.sysname, `utsname.nodename,
	    `utsname.release, `utsname.version, `utsname.machine);
	printf("%d %d %d %d\n", `_pagesize, unix`pagesize,
	    `ncpus_online, `_pagesize == 1 << `_pageshift);
	exit(0); }' | grep . >got
{ uname -snrvm; echo $(getconf PAGESIZE) $(getconf PAGESIZE) \
	$(getconf _NPROCESSORS_ONLN) 1; } >want
diff want got

# The load, by the three scales; it may change while we look.
load='{ printf("%d\n", int($1 * 100 + 0.5)) }'
awk "$load" /proc/loadavg >before
"$DTRACE" -qn 'BEGIN {
	printf("%d\n", (`hp_avenrun[0] * 100 + 32768) / 65536);
	printf("%d\n", (`avenrun[0] * 100 + 1024) / 2048);
	printf("%d\n", (`averunnable.ldavg[0] * 100 + 1024) /
	    `averunnable.fscale);
	exit(0); }' | grep . >now
awk "$load" /proc/loadavg >after
awk 'NR == FNR { ok[$1 - 1] = ok[$1] = ok[$1 + 1] = 1; next }
	!($1 in ok) { print "load", $1 }' <(cat before after) now

"$DTRACE" -qn 'BEGIN {
	printf("memory: %d\n", `physmem > 0 && `freemem > 0 &&
	    genunix`freemem < `physmem && `physinstalled == `physmem);
	printf("cpus: %d\n", `ncpus >= `ncpus_online && `max_ncpus == `ncpus);
	printf("since the start: %d s apart\n",
	    `lbolt / `hz - timestamp / 1000000000);
	this->before = `jiffies;
	printf("jiffies: %d\n", `jiffies >= this->before && `jiffies > 0);
	exit(0); }'

# Memory like any other.
"$DTRACE" -qn 'BEGIN {
	this->p = &`utsname;
	printf("%d %d %s\n", sizeof (`utsname), sizeof (`hp_avenrun),
	    strjoin(this->p->sysname, "!"));
	@[`utsname.sysname, `hz] = count();
	exit(0); }'

# They are looked at while tracing goes on.
unshare -u bash -c '
	hostname before
	"$DTRACE" -qn "BEGIN { trace(\`utsname.nodename); }
		tick-10ms /\`utsname.nodename == \"after\"/ {
			printf(\" after\n\"); exit(0); }" >out &
	. "$E2E/lib.sh"
	until_text out before
	hostname after
	wait'
cat out
