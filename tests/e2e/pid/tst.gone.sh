# timeout: 120
# Children that end before their probes are there are told once, by their number.
kids=${WORKLOAD%/*}/kids
"$DTRACE" -x follow -qn 'pid$target:kids:early:entry { @ = count(); }' -c "$kids vfork:300:3" 2>&1 >/dev/null |
	sed 's/: [0-9]* processes/: N processes/'
"$DTRACE" -x follow -x usdtwait=stop -qn 'pid$target:kids:early:entry { @ = count(); }' -c "$kids vfork:20:3" 2>&1 | grep .
