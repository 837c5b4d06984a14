# The first firing on a CPU, with interrupts off, makes several elements of one hash: none
# is dropped.
"$DTRACE" -qn '
	sched:::on-cpu /pid == $target/
	{
		x[1] = execname; x[2] = execname; x[3] = execname;
		@[curpsinfo->pr_psargs, 1] = count();
		@[curpsinfo->pr_psargs, 2] = count();
		@[curpsinfo->pr_psargs, 3] = count();
		n++;
	}
	END { trunc(@); printf("%s %s %s %s\n", x[1], x[2], x[3], n ? "fired" : "never"); }' \
	-c "sh -c 'for i in 1 2 3; do sleep 0.03; done; :'"
