# Entries, returns, arguments and results of the functions that a program is known to
# call so often.
# timeout: 90
"$DTRACE" -l -n 'fbt::vfs_read:entry' >/dev/null 2>err || {
	grep -q 'cannot be probed here' err || cat err
	head -1 err; exit 77
}
echo "counts"
"$DTRACE" -qn '
fbt::__*64_sys_getppid:entry /pid == $target/ { @["entry"] = count(); }
fbt::__*64_sys_getppid:return /pid == $target/
{ @["return"] = count(); @r["result is the parent"] = sum(arg1 == ppid); }
fbt::__*64_sys_getppid:return /pid == $target && (arg0 != 0 || args[1] != arg1)/
{ @["wrong"] = count(); }
END { printa("%s %@d\n", @); printa("%s %@d\n", @r); }
' -c "$WORKLOAD getppid:10000" | sort
echo "arguments"
"$DTRACE" -qn '
fbt::vfs_read:entry /pid == $target/ { self->on = 1; @asked = sum(args[2]); }
fbt::vfs_read:return /self->on && args[1] > 0/ { @had = sum(args[1]); }
syscall::read:entry, syscall::pread64:entry /pid == $target/ { @asked = sum(-arg2); }
syscall::read:return, syscall::pread64:return /pid == $target && arg1 > 0/ { @had = sum(-arg1); }
END { printa("%@d asked, %@d had\n", @asked, @had); }
' -c 'dd if=/dev/zero of=/dev/null bs=4k count=1000 status=none'
echo "time"
"$DTRACE" -qn '
fbt::vfs_write:entry /pid == $target/ { self->t = timestamp; }
fbt::vfs_write:return /self->t/ { @n = sum(1); @min = min(timestamp - self->t); self->t = 0; }
syscall::write:entry /pid == $target/ { @n = sum(-1); }
END { printa("%@d ", @n); printa("%@d\n", @min); }
' -c 'dd if=/dev/zero of=/dev/null bs=4k count=100 status=none' |
	awk 'NF { print $1, ($2 > 0 && $2 < 1e9 ? "fine" : $2) }'
