# A trace that is stopped for a while, as by a debugger or a terminal: what was
# recorded and what was dropped meanwhile is what fired, in every way of counting.
n=$(times 1000000)
bpf_before
"$DTRACE" -q -x bufsize=256k -x switchrate=50hz -n '
	syscall::getppid:entry
	/pid == $target/
	{
		@ = count();
		@keys[cpu, self->n++ % 50] = count();
		printf("row\n");
	}
	END { printa("fired %@d\n", @); printa("key %d %d %@d\n", @keys); }' \
	-c "$WORKLOAD -t 2 getppid:$n" >out 2>err &
pid=$!
until_text out row
for ((i = 0; i < 3; i++)); do
	# a fast machine is done after the first or the second
	kill -STOP $pid 2>/dev/null || { ((i)) || echo "not stopped"; break; }
	sleep 0.4
	kill -CONT $pid
	sleep 0.1
done
wait $pid
echo "status $?"
awk -v n=$n '/row/ { rows++ } /fired/ { fired += $2 } /^key/ { keys += $4 }
	/drops? on CPU/ { rows += $2; drops += $2 } /firings? lost/ { lost += $2 }
	END { print (drops > 0), fired - rows, fired - keys, fired + lost - 2 * n }' out err
grep -v 'drops* on CPU\|firings* lost$' err
bpf_after
