# How late probes of a library were that was loaded while tracing is told with -v alone, and
# not where who loads it has waited.
called=$(dirname "$WORKLOAD")/called
for how in '-q' '-v' '-v -x usdtwait=stop'; do
	"$DTRACE" $how -Zn 'pid$target:libcalled_late:late:entry { exit(0); }' -c "$called load" 2>&1 >/dev/null |
		grep 'what came while' | sed 's/after [0-9]* us/after N us/'
done
