# Names that are not UTF-8, of programs and parts of probes: no byte is lost.
odd=$(printf 'na\377m"e')
cp "${WORKLOAD%/*}/called" "./$odd"
"$DTRACE" -q -O json -n 'pid$target:a.out:leaf:entry
	{ @[execname, probemod, probefunc, 1] = count(); @m[probemod] = count(); }' \
	-c "'./$odd' leaf:3" >out
python3 "$E2E/../support/jsoncheck.py" out \
	'json.dumps([x["aggregation-data"] for e in events for x in e["output"]])'
