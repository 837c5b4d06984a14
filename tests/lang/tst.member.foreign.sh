# Members that threads have on other systems: the hint says what to use.
for member in t_pri t_procp t_cpu t_state t_lwp t_tid t_cid t_start t_dispq \
	t_whatever td_proc td_name td_oncpu td_whatever p_pidp; do
	"$DTRACE" -n "BEGIN { trace(curthread->$member); exit(0); }" 2>&1 |
		sed -n 's/^hint:/'$member:'/p'
done
"$DTRACE" -n 'BEGIN { trace(curproc->p_pid); exit(0); }' 2>&1 | grep ^hint

# Those of other structs are only misspelt.
"$DTRACE" -n 'BEGIN { trace(curthread->mm->t_pri); exit(0); }' 2>&1 | grep ^hint

# What the hints name exists.
"$DTRACE" -qn 'BEGIN {
	trace(curlwpsinfo->pr_pri); trace(curlwpsinfo->pr_state);
	trace(curlwpsinfo->pr_lwpid); trace(curlwpsinfo->pr_syscall);
	trace(curlwpsinfo->pr_bindpro); trace(curlwpsinfo->pr_clname);
	print(curlwpsinfo->pr_start); trace(curpsinfo->pr_psargs);
	trace(curpsinfo->pr_ppid); trace(curcpu->cpu_chip);
	trace(curthread->prio); trace(curthread->__state);
	trace(curthread->policy); trace(curthread->cred);
	trace(curthread->start_time); trace(curthread->stack);
	trace(curthread->se.vruntime); trace(curthread->comm);
	trace(curthread->group_leader); trace(curthread->real_parent);
	exit(0); }' >/dev/null
