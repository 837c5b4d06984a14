# Whoever may not see the kernel's addresses is told why they have no names, once.
command -v setpriv >/dev/null || { echo "no setpriv"; exit 77; }
setpriv --bounding-set=-syslog grep -q '^0*[1-9a-f]' /proc/kallsyms &&
	{ echo "the kernel's addresses are never hidden here"; exit 77; }
setpriv --bounding-set=-syslog "$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ {
	stack(1); stack(1); exit(0); }' -c "python3 -c 'import os; os.getppid()'" 2>told |
	sed 's/0xffff[0-9a-f]*/ADDRESS/' >out
cat told out
