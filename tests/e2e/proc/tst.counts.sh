# Every process, thread, program, end and signal of tests/support/lives.c is told
# once, with its arguments.
# needs: python3
# timeout: 60
"$DTRACE" -q -x aggsize=8m -n '
proc::: /progenyof($target) && substr(probename, 0, 7) != "signal-"/
	{ @all[probename] = count(); }
proc:::create /pid == $target/
	{ @create[args[0]->pr_fname, args[0]->pr_ppid == pid] = count(); }
proc:::lwp-create /pid == $target/
	{ @lwp[args[1]->pr_pid == pid, args[0]->pr_lwpid != tid] = count(); }
proc:::start, proc:::lwp-start /progenyof($target)/
	{ @start[probename, pid == tid, execname] = count(); }
proc:::exit /progenyof($target)/ { @exit[args[0]] = count(); }
proc:::exec-failure /progenyof($target)/ { @fail[args[0]] = count(); }
proc:::exec-success /progenyof($target) && pid != $target/
	{ @psargs[execname, strstr(curpsinfo->pr_psargs, "lives")] = count(); }
proc:::fault /progenyof($target)/
	{ @fault[args[0], args[1]->si_signo, args[1]->si_addr] = count(); }
/* A timer sends its signal (SIGALRM, SIGRTMIN) from another thread. */
proc:::signal-send /args[1]->pr_pid == $target && (args[2] == SIGALRM || args[2] == 34)/
	{ @timers[args[2]] = count(); }
proc:::signal-send, proc:::signal-discard
/pid == $target && args[2] != SIGCHLD && args[2] != SIGALRM && args[2] != 34/
	{ @signal[probename, args[2], args[1]->pr_pid == pid] = count(); }
proc:::signal-handle /pid == $target/
	{ @handle[args[0], args[1]->si_code, args[1]->si_pid == pid,
	  args[2] != NULL] = count(); }
proc:::signal-clear /pid == $target/ { @clear[args[0]] = count(); }
END {
	printa("%-14s %@d\n", @all);
	printa("create %s %d %@d\n", @create);
	printa("lwp-create %d %d %@d\n", @lwp);
	printa("%s %d %s %@d\n", @start);
	printa("exit %d %@d\n", @exit);
	printa("exec-failure %d %@d\n", @fail);
	printa("exec-success %s %s %@d\n", @psargs);
	printa("fault %d %d %x %@d\n", @fault);
	printa("%s %d %d %@d\n", @signal);
	printa("timers %d %@d\n", @timers);
	printa("handle %d %d %d %d %@d\n", @handle);
	printa("clear %d %@d\n", @clear);
}' -c "${WORKLOAD%/*}/lives" >seen
# A program that is begun by a file descriptor is called as that, not as its file, before Linux 6.14.
by_fd=$(python3 -c '
import os
os.execve(os.open("/bin/cat", os.O_RDONLY), ["cat", "/proc/self/comm"], os.environ)')
[ "$by_fd" = cat ] || sed -i 's/^exec-success [0-9]* lives nothing 1/exec-success lives lives nothing 1/' seen
sort seen
