# What is loaded, executed and forked while tracing goes on.
called=$(dirname "$WORKLOAD")/called
"$DTRACE" -Zqn 'pid$target:libcalled_late:late:entry
	{ printf("%s %s\n", probemod, probefunc); exit(0); }' -c "$called load"
# beside a description that matches at once
"$DTRACE" -qn 'pid$target::l*f:entry, pid$target::late:return { @[probefunc] = count(); }
	pid$target::late:return { exit(0); }' -Z -c "$called leaf:3 load"
# another program
"$DTRACE" -qn 'pid$target:a.out:leaf:entry /pid == $target/
	{ printf("after exec\n"); exit(0); }' -c "$called exec"
# through a shell, which has no such function itself
"$DTRACE" -Zqn 'pid$target:called:leaf:entry { printf("%s\n", execname); exit(0); }' \
	-c "sh -c 'exec $called often'"
# children
"$DTRACE" -qn 'pid$target:a.out:leaf:entry { printf("%d %d\n", pid == $target,
	ppid == $target); exit(0); }' -x follow -c "$called fork"
"$DTRACE" -qn 'pid$target:a.out:leaf:entry { printf("child seen\n"); exit(0); }
	tick-1s { printf("no child\n"); exit(0); }' -c "$called fork"
