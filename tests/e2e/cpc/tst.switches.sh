# timeout: 90
# Switches by one are those that getrusage() tells, read where it is called, and so are they
# by their number, or by libpfm4's name where that is installed.  Of 1000 by one each tenth is told.
cat >script <<'END'
#pragma D option quiet
int n, on;
uint64_t before;
syscall::getrusage:entry /pid == $target && on/
{
	on = 0;
	printf("books 5 pswitch %d\n", curthread->nvcsw + curthread->nivcsw - before);
}
syscall::getrusage:return /pid == $target && ++n == 2/
{
	on = 1;
	before = curthread->nvcsw + curthread->nivcsw;
}
cpc:::context_switches-all-1, cpc:::cs-kernel-1 /pid == $target && on/
{ @[probename] = count(); }
cpc:::context_switches-user-1 /pid == $target && on/ { @["user"] = count(); }
END { printa("5 pswitch %@d\n", @); }
END
"$DTRACE" -s script -c "python3 $HERE/../sysinfo/work.py" -o seen >/dev/null
sed -n 's/^books //p' seen >counted
sed -i /^books/d seen
grep . seen | sort -u | diff - <(grep pswitch counted) && grep -c pswitch seen

# So many of all that happen on a CPU.
"$DTRACE" -qn 'cpc:::context_switches-all-1 /cpu == 0/ { one++; }
	cpc:::context_switches-all-10 /cpu == 0/ { ten++; }
	END { printf("%d %d\n", one, ten); }' -c "$WORKLOAD nanosleep:300" >tens
awk 'NF { print ($1 / 10 - $2 < 3 && $2 - $1 / 10 < 3) }' tens
if [ -e /usr/lib/x86_64-linux-gnu/libpfm.so.4 ]; then
	"$DTRACE" -ln 'cpc:::PERF_COUNT_SW_CONTEXT_SWITCHES-all-1' |
		awk 'NR > 1 { print $NF }'
else
	echo PERF_COUNT_SW_CONTEXT_SWITCHES-all-1
fi
