# timeout: 120
# Files that nobody executes any more are closed, and opened again for who comes later.
kids=${WORKLOAD%/*}/kids
for i in $(seq 150); do cp $kids kids$i; done
cat >run.sh <<'END'
for round in 1 2; do
	for i in $(seq 150); do ./kids$i none:1:2; done
done
END
"$DTRACE" -x follow -x usdtwait=stop -Zqn 'pid$target:a.out:early:entry { @[execname] = count(); }
	END { printa("%s %@d\n", @); }' -c "sh run.sh" >out &
pid=$!
most=0
while kill -0 $pid 2>/dev/null; do
	fds=$(ls /proc/$pid/fd 2>/dev/null | wc -l)
	((fds > most)) && most=$fds
	sleep 0.05
done
wait $pid
awk 'NF { n++; sum[$2]++ } END { print n " programs"; for (i in sum) print sum[i] " with " i }' out
((most < 120)) || echo "$most descriptors"
