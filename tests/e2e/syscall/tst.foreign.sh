# Names of system calls that other systems have.

# Beside others they match nothing: one warning, and no call is seen twice.
"$DTRACE" -qn '
	syscall::exec:return, syscall::exece:return, syscall::forksys:entry,
	syscall::exec:return
	/progenyof($target) && execname == "true"/ { @ = count(); }' \
	-c "sh -c '/bin/true; :'" 2>&1

# Other clauses count, too.
"$DTRACE" -qn 'BEGIN { exit(0); }
	syscall::resolvepath:entry, syscall::*_nocancel:entry { }' 2>&1

# Several names of one call in one program: a call is one call.
cat >two.d <<'D'
syscall::close:entry { }
syscall::mmap:entry, syscall::mmap64:entry { @["one clause"] = count(); }
syscall::mmap:entry { @["own clause"] = count(); }
syscall::mmap64:entry { @["never"] = count(); }
syscall::statvfs:entry, syscall::statvfs64:entry { @["two foreign"] = count(); }
D
"$DTRACE" -s two.d -n BEGIN -l | awk '{ print $4, $5 }'

# Alone they are an error.
"$DTRACE" -n 'syscall::exec:return { } syscall::open_nocancel:entry { }' 2>&1
echo "status $?"
"$DTRACE" -ln syscall::exec:entry 2>&1
echo "status $?"
# Of a pattern one call is the example.
"$DTRACE" -en 'syscall::*lwp*:, syscall::resolv*:, syscall::read:' 2>&1
