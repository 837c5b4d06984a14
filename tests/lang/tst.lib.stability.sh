# A library answers for what it uses: nothing is said of its own text, only of
# the description BEGIN.
"$DTRACE" -x amin=Stable/Stable/Common -qn 'BEGIN { trace(curpsinfo->pr_pid); }' \
	2>&1 | grep -c attributes
# Whoever uses the same things has to answer.
"$DTRACE" -x amin=Stable/Stable/Common -qn 'BEGIN { trace(curthread->pid); }' \
	2>&1 | grep -c attributes
# Names of libraries are suggested.
"$DTRACE" -qn 'BEGIN { trace(curpsinf->pr_pid); }' 2>&1 | tail -1
