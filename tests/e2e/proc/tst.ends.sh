# How processes end, as wait() tells it (tests/support/ends.c): with each status, by
# signals, with a core, at an exit of a thread that is not the first, and when all threads
# end at once.  A thread that becomes another program ends the others, not the process.
# timeout: 60
ulimit -c unlimited
"$DTRACE" -q -x bufsize=1m -n '
proc:::exit /progenyof($target) && pid != $target/
	{ printf("%d %d %d\n", pid, args[0], curpsinfo->pr_wstat); }
proc:::exec-success /progenyof($target) && pid != $target/
	{ @["became another", pid == tid] = count(); became = pid; }
proc:::lwp-exit /pid == became/ { @["of that", 1] = count(); }
proc:::lwp-exit /progenyof($target) && pid != $target/ { @["threads", 1] = count(); }
proc:::fault /progenyof($target)/ { @f[args[0], args[1]->si_signo] = count(); }
END { printa("= %s %d %@d\n", @); printa("= fault %d %d %@d\n", @f); }' -o seen -c "${WORKLOAD%/*}/ends" >told
wc -l <told
grep -v -e = -e '^$' seen | sort >exits
sort told | diff - exits && echo same
grep = seen | sort
