# The same error from the same place is told once, and then counted; another place,
# another fault, and another probe are told; ERROR fires each time.
"$DTRACE" -qn 'int zero;
	syscall::getppid:entry, syscall::getppid:return /pid == $target/
	{ trace(*(int *)0); }
	syscall::getppid:entry /pid == $target/ { @ok = count(); trace(1 / zero); }
	syscall::getppid:entry /pid == $target/
	{ self->n++; trace(*(int *)(self->n & 1 ? 16 : 32)); }
	ERROR { @[arg4] = count(); }
' -c "$WORKLOAD getppid:12346" 2>err
# How many lines that takes is a matter of time.
sed 's/ID [0-9]*/ID/g' err | awk '{ n = 0 }
	/ more times?$/ {
		n = $(NF - 2); gsub(",", "", n);
		sub(" [.][.][.] .*", "");
	}
	{ seen[$0] += n }
	END { for (line in seen) print line, seen[line] }' | sort
