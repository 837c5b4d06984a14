# A stack begins at the function that was entered; behind its return, in its caller.
# timeout: 90
"$DTRACE" -l -n 'fbt::vfs_read:entry' >/dev/null 2>err || {
	grep -q 'cannot be probed here' err || cat err
	head -1 err; exit 77
}
"$DTRACE" -qn '
syscall::read:entry /pid == $target/ { self->reads = 1; }
fbt::vfs_read:entry, fbt::vfs_read:return /self->reads/
{ @[probename, stack(2)] = count(); @c[probename, func(caller)] = count();
	@d[probename] = min(stackdepth > 2); }
syscall::read:return /pid == $target/ { self->reads = 0; }
END { printa("%s%k", @); printa("%s called by %a\n", @c); printa("%s %@d\n", @d); }
' -c 'dd if=/dev/zero of=/dev/null bs=4k count=10 status=none' |
	sed 's/+0x[0-9a-f]*$//; s/^ *//' | grep -v '^$' | LC_ALL=C sort -u
