# Functions of which the C library has several, and chooses when the program starts: by
# their names, by a pattern, two names of what may be one function, in a process that
# runs; and where none can be told.
called=$(dirname "$WORKLOAD")/called
cat >script <<'END'
#pragma D option quiet
pid$target:libc:strlen:entry { self->text = arg0; }
pid$target:libc:strlen:return /self->text && copyinstr(self->text) == "a text of its own"/
{ @["strlen", probefunc, arg1] = count(); }
pid$target:libc:strlen:return { self->text = 0; }
pid$target:libc:memcpy:entry /arg2 == 4321/ { @["memcpy", probefunc, arg2] = count(); }
pid$target::str*:entry /copyinstr(arg0) == "a text of its own"/ { @["str*", probefunc, 0] = count(); }
END
"$DTRACE" -s script -c "$called chosen:300" | sort
# by the end, all the same
"$DTRACE" -qn 'pid$target:libc:memcpy:entry, pid$target:libc:memmove:entry /arg2 == 4321/ { @[probefunc == "memcpy" || probefunc == "memmove"] = count(); }
	END { printa("%d\n", @); }' -c "$called chosen:7"
"$DTRACE" -xerrtags -qn 'pid$target:libc:time:entry { }' -c "$called leaf" 2>&1 | grep -o 'time is chosen.*'
