# A thread of the kernel was called with nothing: no fault, no text.  The idle
# thread is one.
timeout -s INT 5 "$DTRACE" -q -n 'profile-97 /pid == 0/ {
	printf("<%s> <%s> <%s>\n", execargs, cwd, root); exit(0); }'
