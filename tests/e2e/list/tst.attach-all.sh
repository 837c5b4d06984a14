# timeout: 120
# Each probe that is made of others is attached here, and by itself: its D compiles,
# the kernel takes it, and nobody is warned.
"$DTRACE" -l | awk 'NR > 1 { print $2 }' | sort | uniq -c | sort -n >providers
for p in cpc fsinfo io ip lockstat mib proc sched sysinfo tcp udp vminfo; do
	grep -q " $p\$" providers || continue
	"$DTRACE" -lP $p | awk 'NR > 1 { print $NF }' >names
	while read name; do
		timeout 60 "$DTRACE" -qn "$p:::$name { @ = count(); }
			BEGIN { exit(0); }" 2>&1 | grep . | grep -v '^ *[0-9]*$' |
			sed "s/^/$p:::$name: /"
	done <names
done
