# A program of 32 bits: its functions, probes, calls and stacks.
narrow=${WORKLOAD%/*}/narrow
[ -x "$narrow" ] || { echo "no compiler for programs of 32 bits"; exit 77; }
"$narrow" >/dev/null 2>&1 || { echo "this kernel runs no programs of 32 bits"; exit 77; }
# (What the program prints itself does not wait for us.)
"$DTRACE" -o own -qn 'pid$target:narrow:leaf:entry
	{ printf("%d %s %d\n", (int)arg0, copyinstr(arg1), arg2); }
	pid$target:narrow:leaf:return { printf("= %d\n", (int)arg1); }' -c "$narrow"
grep . own
rm own
"$DTRACE" -o own -qn 'narrow$target:::fire { printf("%d %s %d %d\n", arg0, copyinstr(arg1), arg2, arg3); }' \
	-c "$narrow"
grep . own
"$DTRACE" -qn 'syscall::getppid:entry, syscall::write:entry /pid == $target/ { @[probefunc] = count(); }' \
	-c "$narrow" | awk 'NF { $1 = $1; print }'
"$DTRACE" -qn 'narrow$target:::fire { ustack(3); exit(0); }' -x evaltime=main -c "$narrow" |
	sed -n 's/+0x.*//; s/^ *\(narrow`\)/\1/p'
