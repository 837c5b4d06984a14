# needs: unshare mount
# A kernel module that is loaded while tracing runs has names, too.  None is
# loaded here: the table of the kernel's symbols is a copy that grows.
cat /proc/kallsyms > all
unshare -m sh -c 'mount --bind all /proc/kallsyms && exec "$@"' - \
	$SIGINT_ON "$DTRACE" -q -x switchrate=10ms \
	-n 'BEGIN, tick-100ms { printf("%a\n", 0xffffffffc1234568); }' > out &
until_text out 0xffffffffc1234568
echo 'ffffffffc1234560 t fresh	[mod_new]' >> all
until_text out fresh
kill -INT $!
wait
sort -u out
