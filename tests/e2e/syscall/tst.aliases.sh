"$DTRACE" -q -n '
	syscall::exece:return /progenyof($target) && execname == "true"/ { @ = count(); }' \
	-c "sh -c '/bin/true; :'"

# The same names before clause after clause: each of these runs, and once for a call.
"$DTRACE" -q -n '
	syscall::fstatat:entry, syscall::fstatat64:entry /pid == $target/ { self->n = 1; }
	syscall::fstatat:entry, syscall::fstatat64:entry /self->n/ { self->n++; }
	syscall::fstatat:return, syscall::fstatat64:return /self->n/ { @[self->n, "once"] = sum(1); }
	syscall::fstatat:return, syscall::fstatat64:return /self->n/ { @[self->n, "again"] = sum(1); self->n = 0; }
	syscall:::return /pid == $target && probefunc == "newfstatat"/ { @[2, "once"] = sum(-1); @[2, "again"] = sum(-1); }
	END { printa("%d %s %@d\n", @); }' -c "cat /dev/null"
