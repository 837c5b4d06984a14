# caller and stackdepth tell of the kernel, not of the tracing: the second frame
# of a system call lies in the kernel's text, whatever else the clause is for.
"$DTRACE" -q -n '
	syscall::getppid:entry, syscall::getppid:return, profile-97
	/pid == $target && probeprov == "syscall"/
	{
		printf("%s %p %d\n", probename, caller, stackdepth);
	}
	syscall::getppid:entry
	/pid == $target && ipl == 0/
	{
		printf("ipl 0\n");
	}' -c "$WORKLOAD getppid:1" >out 2>err
but_for_the_clock <err >&2
text=$(awk '$3 == "_stext" || $3 == "_etext" { print $1 }' /proc/kallsyms)
set -- $text
while read -r name caller depth; do
	[ -z "$name" ] && continue
	[ "$name" = ipl ] && echo "ipl $caller" && continue
	# addresses of the kernel are negative numbers, so their order is the same
	((0x$caller > 0x$1 && 0x$caller < 0x$2)) && place=kernel || place=$caller
	((depth >= 2 && depth < 16)) && depth=some
	echo "$name $place $depth"
done <out
