# All functions at once, counted by name, and left again.
# timeout: 300
"$DTRACE" -l -n 'fbt::vfs_read:entry' >/dev/null 2>err || {
	grep -q 'cannot be probed here' err || cat err
	head -1 err; exit 77
}
if "$DTRACE" -vV | grep -q 'kprobe.multi yes'; then
	"$DTRACE" -q -x aggsize=64m -o out -n '
	fbt:::entry { @[probefunc] = count(); }
	fbt::*_sys_getppid:entry /pid == $target/ { @n = count(); }
	END { printa("ours %@d\n", @n); }' -c "$WORKLOAD getppid:1000" 2>err
	echo $?
	grep ours out
	awk '/sys_getppid/ && $2 >= 1000 { print "counted" }' out
	awk 'NF == 2' out | wc -l | awk '{ print ($1 > 100) }'
	grep -v -e ' drop' -e ' firings lost' err || :
else
	"$DTRACE" -qn 'fbt:::entry { @ = count(); } BEGIN { exit(0); }' 2>err
	echo 0
	grep -q 'fbtmax' err && printf 'ours 1000\ncounted\n1\n' || cat err
fi
