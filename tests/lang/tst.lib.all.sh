# Every library that comes with dtrace compiles, one after the other and each
# alone; and all of its names are told by its outline.
lib=$(dirname "$DTRACE")/../lib/dtrace
[[ -d $lib ]] || { echo "libraries are not beside the command"; exit 77; }
"$DTRACE" -qL "$lib" -n 'BEGIN { trace("all"); exit(0); }'
for f in "$lib"/*.d; do
	mkdir -p one && cp "$f" one/
	"$DTRACE" -q -x syslibdir="$lib" -L one -n 'BEGIN { exit(0); }' >out ||
		exit
	rm -r one
done
"$DTRACE" -qn 'BEGIN { trace(sizeof (conninfo_t)); trace(sizeof (csinfo_t));
	trace(((tcpinfo_t *)0) == NULL); exit(0); }'
