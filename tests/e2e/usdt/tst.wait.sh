# With usdtwait=stop who maps a file that was not seen before waits until its probes are
# there: programs, and libraries that they load.  Neither waits for us by itself.  Patterns
# name the processes of others, too, who may run the same: they are not counted.
noted=${WORKLOAD%/*}/noted
n=$(times 10)
cat >many.sh <<EOF
for i in \$(seq $n); do
	cp $noted new\$i
	./new\$i 1 >/dev/null
	rm new\$i
done
EOF
"$DTRACE" -x usdtwait=stop -Zqn 'noted*:::registers /progenyof($target)/ { @ = count(); }
	END { printa("%@d\n", @); }' -c "sh many.sh" | sed "s/^$n$/all/" | grep .
cp "$noted" .
cat >plugs.sh <<EOF
for i in \$(seq $n); do
	cp ${noted%/*}/libnoted_late.so .
	./noted plug 1
	rm libnoted_late.so
done
EOF
"$DTRACE" -x usdtwait=stop -Zqn 'late*:::now /progenyof($target)/ { @ = count(); }
	END { printa("%@d\n", @); }' -c "sh plugs.sh" | sed "s/^$n$/all/" | grep .
# functions, too
"$DTRACE" -x usdtwait=stop -Zqn 'pid*:libnoted_late.so:late_now:entry /progenyof($target)/ { @ = count(); }
	END { printa("%@d\n", @); }' -c "sh plugs.sh" | sed "s/^$n$/all/" | grep .
# and children, of which each has its own
"$DTRACE" -x usdtwait=stop -x follow -Zqn 'noted$target:::registers { @[pid == $target] = count(); }
	END { printa("%d %@d\n", @); }' -c "sh -c 'for i in 1 2 3 4 5; do ./noted 1 >/dev/null; done'" | grep .
# also when one that has none had the library before
cp ${noted%/*}/libnoted_late.so .
"$DTRACE" -x usdtwait=stop -Zqn 'late$target:::now, pid$target:libnoted_late.so:late_now:entry { @[probename] = count(); }
	END { printa("%s %@d\n", @); }' -c "sh -c './noted plug 1; exec ./noted plug 2'" | grep .
