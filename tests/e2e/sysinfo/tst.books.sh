# timeout: 90
# What is counted is what /proc/PID/io, getrusage() and who did it say.  What getrusage() tells
# is read where it is marked: in the middle of the call the thread may be switched, too.
cat >script <<'END'
#pragma D option quiet
int n, on, nusage;
uint64_t voluntary, involuntary;
syscall::getpriority:return /pid == $target/ { n++; on = n & 1 ? n / 2 + 1 : 0; }
syscall::getrusage:entry /pid == $target && on == 5/
{
	on = 0;
	printf("books 5 inv_swtch %d\n", curthread->nivcsw - involuntary);
	printf("books 5 pswitch %d\n", curthread->nvcsw - voluntary + curthread->nivcsw - involuntary);
}
syscall::getrusage:return /pid == $target && ++nusage == 2/
{
	on = 5;
	voluntary = curthread->nvcsw;
	involuntary = curthread->nivcsw;
}
sysinfo:::readch, sysinfo:::writech, sysinfo:::sysread, sysinfo:::syswrite,
sysinfo:::msg, sysinfo:::sema
/pid == $target && on && on < 5 && on != 3/
{ @[on, probename] = sum(arg0); @pointers = sum(arg1); }
sysinfo:::sysexec, sysinfo:::sysfork, sysinfo:::sysvfork, sysinfo:::nthreads,
sysinfo:::procovf
/on == 3 && progenyof($target)/
{ @[on, probename] = sum(arg0); @pointers = sum(arg1); }
sysinfo:::inv_swtch, sysinfo:::pswitch
/pid == $target && on == 5/
{ @[on, probename] = sum(arg0); @pointers = sum(arg1); }
END { printa("%d %s %@d\n", @); printa("pointers %@d\n", @pointers); }
END
"$DTRACE" -s script -c "python3 $HERE/work.py" -o seen >counted
sed -n 's/^books //p' seen >>counted
sed -i /^books/d seen
cat seen | sort | grep . >have
grep '^[15]' have | diff - <(sort counted) && echo same
awk '{ print $2, ($3 > 0) }' counted
grep -v '^[15]' have
