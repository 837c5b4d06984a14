# Four threads that call at once: each call is counted.
# timeout: 60
called=$(dirname "$WORKLOAD")/called
"$DTRACE" -qn 'pid$target:a.out:leaf:entry { @ = count(); }' \
	-c "$called -t 4 leaf:$(times 100000)"
