# timeout: 120
# A number that is used again is another process, whose probes are attached as anybody's,
# and nobody else's: each call is seen once.
kids=${WORKLOAD%/*}/kids
"$DTRACE" -x follow -x usdtwait=stop -qn 'pid$target:kids:early:entry { @[pid == $target] = count(); }
	END { printa("%d %@d\n", @); }' -c "$kids again:30:7" | grep .
# among others, one of which is the command by itself
"$DTRACE" -x follow -x usdtwait=stop -qn 'pid$target:kids:early:entry { @[pid == $target] = count(); }
	END { printa("%d %@d\n", @); }' -c "$kids again:2:7 fork:5:3 again:3:7 none:1:4" | grep .
