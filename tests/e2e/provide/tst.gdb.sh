# needs: gcc gdb
# What others make of the probes.
"$DTRACE" -h -s "$HERE/prov.d" -o prov.h || exit
gcc -O2 -I. "$HERE/main.c" "$HERE/other.c" -o p || exit
gdb -nx -batch -ex 'info probes stap myprov' p 2>/dev/null | awk '/^stap/ { print $2, $3 }' | sort
gdb -nx -batch -ex 'set debuginfod enabled off' -ex 'break -probe-stap myprov:bytes' -ex run \
	-ex 'print (int) $_probe_arg0' -ex 'print $_probe_arg1' -ex 'print $_probe_argc' p 2>/dev/null |
	grep '^\$'
