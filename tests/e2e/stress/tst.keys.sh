# timeout: 60
# More keys than aggsize has room for: what is shown and what was dropped is
# what happened, and what is shown is right.
n=$(times 1000000)
"$DTRACE" -q -x aggsize=4m -x aggrate=1h -n '
int64_t i;
syscall::getppid:entry /pid == $target/ { @all = count(); @[i, i * 7] = sum(i); i++; }
END { printa("all %@d\n", @all); printa("%d %d %@d\n", @); }' \
	-c "$WORKLOAD getppid:$n" >out 2>err
awk -v n=$n '
	/aggregation drops? on CPU/ { lost += $2; next }
	$1 == "all" { all = $2; next }
	NF == 3 { got++; if ($2 != $1 * 7 || $3 != $1) print "wrong:", $0 }
	END { print all / n, (got + lost) / n, (got > 1000), (lost > 1000) }
' out err
! grep -v 'aggregation drops* on CPU' err
