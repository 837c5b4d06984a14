# Keys as fast as they come: none is dropped while there is room, small or large,
# and histograms take the room of what is in them.
check() {	# CALLS AGGREGATION [OPTION...]
	local n=$1 agg=$2
	shift 2
	"$DTRACE" -q -x aggrate=1h "$@" -n "int n;
		syscall::getppid:entry /pid == \$target/ { $agg n++; }
		END { printa(\"key %d %@d\n\", @); }" \
		-c "$WORKLOAD getppid:$n" >out 2>err
	awk -v n=$n '/^key/ { rows++ }
		/^key [0-9]+ *$/ { hist = 1 }
		hist && NF > 1 && $1 != "key" && $1 != "value" { sum += $NF }
		/^key [0-9]+ [0-9]+$/ { sum += $3 }
		END { print rows, sum / n }' out
	cat err
}
check 20000 '@[n] = count();'
check 20000 '@[n] = sum(1);'
check 20000 '@[n % 100] = lquantize(n % 2000, 0, 1026, 1);'
check 2000 '@[n] = quantize(n);' -x aggsize=1m
check 200 '@[n] = lquantize(n * 60, 0, 12000, 1);'
