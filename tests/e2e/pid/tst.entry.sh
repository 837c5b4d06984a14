# Functions of the program and of a library of a command; how often, with which
# arguments, and by which names.
called=$(dirname "$WORKLOAD")/called
"$DTRACE" -qn 'pid$target:a.out:leaf:entry,
	pid$target:called:either:entry,
	pid$target:c[!x]*d:recurs*:entry { @[probemod, probefunc] = count(); }' \
	-c "$called leaf:100 either:10 recursive:2"
"$DTRACE" -qn 'pid$target:called:ten:entry
	{ printf("%d %d %d %d %d %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4,
		arg5, arg6, arg7, arg8, arg9); }' -c "$called ten:2"
for name in libc libc.so libc.so.6 'libc.so*' 'lib[c].so.6'; do
	"$DTRACE" -qn 'pid$target:'"$name"':exit:entry { printf("%s %s\n", probemod,
		probefunc); }' -c "$called leaf"
done
# Another name of what has a probe already is that probe.
"$DTRACE" -qn 'pid$target:libc:fopen:entry, pid$target:libc:fopen64:entry { }
	END { exit(0); }' -c "$called leaf"
"$DTRACE" -ln 'pid$target:libc:fopen:entry,pid$target:libc:fopen64:entry' \
	-c "$called leaf" | awk '{ print $3, $4, $5 }'
