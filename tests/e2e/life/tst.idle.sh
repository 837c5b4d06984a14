# Waiting costs next to nothing, however short the rates are.
TIMEFORMAT='%U %S'
for x in switchrate=0 switchrate=1ns aggrate=0 statusrate=1ns cleanrate=5000hz; do
	{ time "$DTRACE" -qx $x -n 'syscall::getpid:entry /pid == $target/ { @ = count(); }' \
		-c 'sleep 0.4' >/dev/null; } 2>&1 |
		awk -v x=$x '{ if ($1 + $2 > 0.2) print x, $0 }'
done
