# A module that comes and goes; a kernel may be without any.
m=dummy
[ -e /proc/modules ] && modprobe -n $m 2>/dev/null &&
	! grep -q "^$m " /proc/modules || { echo "no modules here"; exit 77; }
cat >work <<END
modprobe $m
modprobe -r $m
END
"$DTRACE" -qn 'sysinfo:::modload, sysinfo:::modunload /progenyof($target)/
	{ @[probename] = sum(arg0); } END { printa("%s %@d\n", @); }' -c 'sh work' |
	sort | grep .
