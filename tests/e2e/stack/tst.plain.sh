# Plain numbers are addresses of the process of -c, also when END prints them and
# nothing else of the program names an address; the kernel's stay the kernel's.
stacks=${WORKLOAD%/*}/stacks
"$DTRACE" -q -n '
	syscall::write:entry /pid == $target && (int)arg0 == -1/
	{ @[arg1] = count(); }
	END {
		printa("%A %@d\n", @);
		printa("%a %@d\n", @);
		printf("%a\n", (uint64_t)&`schedule + 1);
	}' -c "$stacks data" | sed -E 's/^0x(7|ffff).*/on the stack/' | sort | uniq -c
"$DTRACE" -q -n '
	uint64_t set;
	syscall::write:entry /pid == $target && (int)arg0 == -1 && !set/
	{ set = arg1; }
	END {
		printf("%A|%s|%s|%s\n", set, usym(set), umod(set), ufunc(set));
		uaddr(set); usym(set);
	}' -c "$stacks data"
# Without a process they are numbers.
"$DTRACE" -q -n 'BEGIN { printf("%A %a\n", 0x1234L, 0x1234L); exit(0); }'
