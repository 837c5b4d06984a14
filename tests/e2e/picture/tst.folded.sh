# Keys are frames, the root first; a name that would be taken apart is not. What
# printa() has shown is not shown again; of several aggregations each has a root.
"$DTRACE" -q -O folded -n 'syscall::getppid:entry /pid == $target/
	{ @[execname, probefunc] = count(); }' -c "$WORKLOAD getppid:50"
"$DTRACE" -q -O folded -n 'BEGIN { trace("no"); @a["x;y z\n", -1] = sum(7); @q = quantize(3);
	@q = quantize(70); @n = sum(-1); printa(@a); @m["avg"] = avg(6); exit(0); }'
"$DTRACE" -q -O folded -n 'syscall::getppid:entry /pid == $target/
	{ @["k", ustack()] = count(); }' -c "$WORKLOAD getppid:50" |
	grep -Ec '^k;.*workload`[^;]* 50$'
