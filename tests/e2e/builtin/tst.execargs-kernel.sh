# A thread of the kernel was called with nothing: no fault, no text.  The idle
# thread is one; a command that sleeps and wakes keeps timers going, which may
# stand still on a CPU that is quite idle.
timeout -s INT 20 "$DTRACE" -q -n 'profile-997 /pid == 0/ {
	printf("<%s> <%s> <%s>\n", execargs, cwd, root); exit(0); }' \
	-c "$WORKLOAD -t 4 sleep:5000:1000"
