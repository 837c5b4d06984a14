# Why a signal came: its siginfo_t, as sigaction(2) has it.
"$DTRACE" -o have -qn '
proc:::signal-handle /pid == $target && (arg0 == SIGUSR1 || arg0 == SIGUSR2)/
{
	printf("%d %d %d %d %d none %s\n", args[1]->si_signo, args[1]->si_errno,
	    args[1]->si_code, args[1]->si_pid, args[1]->si_uid, args[1]->si_code == -1 ?
	    lltostr(args[1]->si_value, 16) : "none");
}
proc:::signal-handle /pid == $target && arg0 == SIGCHLD && kid/
{
	printf("%d %d %d %s %d %d none\n", args[1]->si_signo, args[1]->si_errno,
	    args[1]->si_code, args[1]->si_pid == kid ? "child" : "another",
	    args[1]->si_uid, args[1]->si_status);
}
/* What stands before python may be a script of the shell. */
proc:::create /pid == $target && strstr(execname, "python") != NULL/ { kid = args[0]->pr_pid; }' -c "python3 $HERE/signals.py want"
grep . have | diff - want && cat want | wc -l
