# needs: gcc python3
# A program sees at once that somebody traces its probe, and that nobody does.
[ -e /sys/bus/event_source/devices/uprobe/type ] || { echo 'no uprobes'; exit 77; }
"$DTRACE" -h -s "$HERE/prov.d" -o prov.h || exit
for way in -O0 -O2 '-O2 -fno-PIE -no-pie'; do
	gcc $way -I. "$HERE/main.c" "$HERE/other.c" -o p &&
		PYTHONDONTWRITEBYTECODE=1 python3 "$HERE/counter.py" ./p || echo failed
done
