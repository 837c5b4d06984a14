# The process that fired, as the shell sees it.
cat >ps.d <<'D'
syscall::getppid:entry
/pid == $target/
{
	printf("%d %d %d %d\n", curpsinfo->pr_pid - pid,
	    curpsinfo->pr_ppid - ppid, curpsinfo->pr_uid - uid,
	    curpsinfo->pr_gid - gid);
	printf("%d %d\n", curpsinfo->pr_pgid, curpsinfo->pr_sid);
	printf("%s|%s|%d\n", curpsinfo->pr_fname, curpsinfo->pr_psargs,
	    curpsinfo->pr_argc);
	printf("%s\n", copyinstr(*(uintptr_t *)copyin(curpsinfo->pr_argv + 8,
	    8)));
	printf("%s\n", copyinstr(*(uintptr_t *)copyin(curpsinfo->pr_envp, 8)));
	printf("%d %d %d\n", curpsinfo->pr_nlwp, curpsinfo->pr_dmodel,
	    curpsinfo->pr_addr == (uintptr_t)curthread);
	/* It began within the last minute, and used some time. */
	printf("%d %d\n", walltimestamp / 1000000000 -
	    curpsinfo->pr_start.tv_sec < 60,
	    curpsinfo->pr_time.tv_sec * 1000000000 +
	    curpsinfo->pr_time.tv_nsec > 0);
	printf("%d\n", curpsinfo->pr_size > curpsinfo->pr_rssize &&
	    curpsinfo->pr_rssize > 0);
}
syscall::getppid:entry
/pid == $target/
{
	printf("%d %d %s %c\n", curlwpsinfo->pr_lwpid - tid,
	    curlwpsinfo->pr_state, curlwpsinfo->pr_name,
	    curlwpsinfo->pr_sname);
	printf("%d %d %s %d\n", curlwpsinfo->pr_nice, curlwpsinfo->pr_syscall,
	    curlwpsinfo->pr_clname, curlwpsinfo->pr_onpro - cpu);
	printf("%d\n", curpsinfo->pr_lwp.pr_lwpid - tid);
	printf("%d %d\n", curcpu->cpu_id - cpu, pset);
}
D
cat >who.py <<'P'
import ctypes, os
libc = ctypes.CDLL(None)
os.setpriority(os.PRIO_PROCESS, 0, 5)
libc.prctl(15, b"anybody", 0, 0, 0)
print(os.getpgrp(), os.getsid(0), file=open("who", "w"))
libc.getppid()
P
env -i PATH=x \
	"$DTRACE" -qs ps.d -c "$(python3 -c 'import sys; print(sys.executable)') -S -I who.py" >out || exit
python=$(python3 -c 'import sys; print(sys.executable)')
sed -e "s/^$(cat who)\$/group and session/" -e "s|$python|python|" out
