# Processes in pid and mount namespaces of their own, whose files we do not see: their
# probes, and the names in their stacks.
# needs: unshare
noted=${WORKLOAD%/*}/noted
cat >inside.sh <<EOF
mount -t tmpfs none /mnt
cp $noted /mnt/inside
/mnt/inside "\$@" >/dev/null
EOF
# It has another number there, and is the child of a child.
unshare -mpf --mount-proc sh inside.sh fork 10 2>/dev/null & outer=$!
disown $outer
child_of() { awk '{ print $1 }' /proc/$1/task/$1/children 2>/dev/null; }
for ((i = 0; i < tries; i++)); do
	first=$(child_of $outer)
	parent=$(child_of ${first:-0})
	process=$(child_of ${parent:-0})
	[ "$process" ] && [ "$(cat /proc/$process/comm)" = inside ] && break
	sleep 0.1
done
frames() { awk 'NF { sub(/(\+0x|\.constprop).*/, ""); $1 = $1; print }'; }
"$DTRACE" -qn 'noted$target:::loop { printf("%s\n", probemod); ustack(1); exit(0); }' -p $process | frames
"$DTRACE" -qn 'noted*:::loop /pid == $1/ {
	printf("%d\n", probeprov == strjoin("noted", lltostr(pid))); ustack(1); exit(0); }' $process | frames
"$DTRACE" -qn 'pid$target:inside:work:entry { printf("%s\n", probefunc); exit(0); }' -p $process | frames
kill -KILL $first
# one that has ended, with all that it had mounted, when its stack is shown
"$DTRACE" -x usdtwait=stop -Zqn 'noted*:::registers /progenyof($target)/ { @[probemod, ustack(1)] = count(); }' \
	-c 'unshare -mpf --mount-proc sh inside.sh 1' | frames
