# timeout: 90
# What is counted is what /proc/PID/io, getrusage() and who did it say.
cat >script <<'END'
#pragma D option quiet
int n, on, nusage;
syscall::getpriority:return /pid == $target/ { n++; on = n & 1 ? n / 2 + 1 : 0; }
syscall::getrusage:entry /pid == $target/ { on = 0; }
syscall::getrusage:return /pid == $target/ { on = ++nusage == 2 ? 5 : 0; }
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
cat seen | sort | grep . >have
grep '^[15]' have | diff - <(sort counted) && echo same
awk '{ print $2, ($3 > 0) }' counted
grep -v '^[15]' have
