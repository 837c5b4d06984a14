# Stacks have their frames' modules, functions and addresses, also as keys.
"$DTRACE" -q -O json -n 'syscall::getppid:entry /pid == $target/
	{ stack(1); ustack(2); @[stack(1)] = count(); }' -c "$WORKLOAD getppid:1" >out
python3 "$E2E/../support/jsoncheck.py" out '[(f["module"], f["symbol"].startswith(
	f["module"] + "`" + f["name"]), f["address"] > 2**63) for f in outputs[0]["stack-frames"]],
	outputs[1]["pid"] == firings[0]["pid"], outputs[1]["ustack-frames"][0]["module"],
	[[f["name"] for f in e["output"][0]["aggregation-data"][0]["keys"][0]["stack-frames"]] ==
	[f["name"] for f in outputs[0]["stack-frames"]] for e in events if e["id"] == -1]'
# What was speculated says who fired it.
"$DTRACE" -q -O json -n 'BEGIN { self->s = speculation(); }
BEGIN { speculate(self->s); trace("spec"); } BEGIN { commit(self->s); }
BEGIN { exit(0); }' >out
python3 "$E2E/../support/jsoncheck.py" out '[(e["execname"], e["output"][0]) for e in firings]'
