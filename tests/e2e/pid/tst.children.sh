# timeout: 120
# With -x follow and usdtwait=stop the first call of a child is seen, however it is made,
# and once; it is one of the child's own probes.
kids=${WORKLOAD%/*}/kids
for way in fork clone vfork grandchild threadfork thread; do
	for _ in $(seq $(times 1)); do
		"$DTRACE" -x follow -x usdtwait=stop -qn 'pid$target:kids:early:entry
			{ @[probeprov == strjoin("pid", lltostr(pid)) ? "its own" : "another"] = count(); }
			END { printa("%s %@d\n", @); }' -c "$kids $way:4:50" | sed "s/^/$way: /"
	done | grep own | sort -u
done
# Nor is what a child does in its parent's memory the parent's.
"$DTRACE" -qn 'pid$target:kids:early:entry { @ = count(); }
	END { printa("%@d\n", @); }' -c "$kids none:1:3 vfork:4:50" | grep .
# a library's, at once from its parent and from the child
"$DTRACE" -x follow -x usdtwait=stop -qn 'pid$target:libc:_exit:entry { @[pid == $target] = count(); }
	END { printa("%d %@d\n", @); }' -c "$kids fork:20:0" | grep .
