# timeout: 60
# Whatever ends a trace that uses all there is: no program, map or child stays,
# and where there is somewhere to print it, what was recorded is printed.
cat >d <<'EOF'
#pragma D option quiet
#pragma D option switchrate=100hz
string s; int a[int];
syscall::nanosleep:entry
/pid == $target/
{
	printf("child %d\n", pid);
	@[execname] = count();
	self->t = vtimestamp; s = execname; a[cpu] = 1;
}
profile-97 { @samples = count(); }
tick-10ms { ticks++; }
END { printf("ended\n"); printa("rows %@d\n", @); }
EOF
bpf_before
for signal in INT TERM HUP KILL; do
	for output in '' '-o file'; do
		: >out; rm -f file
		$SIGINT_ON "$DTRACE" $output -s d -c "$WORKLOAD sleep:1000:20000" >out 2>err &
		pid=$!
		: >>file
		until [ "$(cat out file | grep -c child)" -ge 3 ]; do sleep 0.01; done
		child=$(cat out file | awk '/child/ { print $2; exit }')
		kill -$signal $pid
		wait $pid 2>/dev/null
		status=$?
		but_for_the_clock <err >&2
		gone $child
		cat out file | awk -v s="$signal $status" '
			/child/ { n++ } /ended/ { s = s " ended" }
			/rows/ { s = s ($2 == n ? " all" : " not all") }
			END { print s }'
	done
done
bpf_after
