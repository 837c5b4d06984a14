# A library answers for what it uses: curpsinfo is stable, curthread is not.
"$DTRACE" -x amin=Stable/Stable/Common \
	-qn 'BEGIN { trace(curpsinfo->pr_pid - pid); exit(0); }'
"$DTRACE" -x amin=Stable/Stable/Common \
	-qn 'BEGIN { trace(curthread->pid); exit(0); }' 2>&1 | grep -c attributes
# Names of libraries are suggested.
"$DTRACE" -qn 'BEGIN { trace(curpsinf->pr_pid); exit(0); }' 2>&1 | tail -1
