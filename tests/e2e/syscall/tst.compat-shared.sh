# Probes of several providers at the tracepoint of calls are in one program, and each knows
# a 32-bit call, and its arguments.  Which of several probes at an event comes first is not said.
with_32_bit_calls
"$DTRACE" -q -n '
sysinfo:::syswrite /pid == $target/ { printf("syswrite %d\n", arg0); }
syscall::write:entry /pid == $target/ { printf("write %d\n", arg2); }
sysinfo:::sysread, proc:::exec /pid == $target/ { reads++; }
syscall::getpid:entry, syscall::writev:entry /pid == $target/
{ printf("%s\n", probefunc); }
syscall::write:return /pid == $target/ { printf("write = %d\n", arg1); }
sysinfo:::writech /pid == $target/ { printf("writech %d\n", arg0); }
' -c "$WORKLOAD write32:1:5 write:1:6 getpid32:1 write32:1:7" | grep . | sort
