# timeout: 60
# Stopped at full speed, by a signal or by exit(): what was printed and what was
# dropped is what fired until then, in every way of counting.
n=$(times 2)
cat >d <<'EOF'
syscall::getppid:entry /pid == $target/ { @[cpu] = count(); @plain = count(); n[tid]++; }
syscall::getppid:entry /pid == $target/ { printf("row\n"); @keys[self->i++ % 100] = count(); }
END { printa("fired %d %@d\n", @); printa("plain %@d\n", @plain); printa("key %d %@d\n", @keys); }
EOF
check() {
	awk '/row/ { rows++ } /fired/ { fired += $3 } /plain/ { plain += $2 }
		/^key/ { keys += $3 } /drops? on CPU/ { rows += $2 }
		END { print (fired > 0), fired - plain, fired - rows, fired - keys }' out err
	! grep -v 'drops* on CPU' err
}
for ((i = 0; i < n; i++)); do
	: >out
	$SIGINT_ON "$DTRACE" -q -x bufsize=64k -x switchrate=10ms -s d \
		-c "$WORKLOAD -t 4 getppid:100000000" >out 2>err &
	pid=$!
	until [ -s out ]; do sleep 0.01; done
	sleep 0.$((RANDOM % 9 + 1))
	kill -INT $pid
	wait $pid
	check
	# In the row's clause, or a lost exit() would be one loss more.
	sed 's/printf("row.n");/& if (n[tid] >= 30000) exit(0);/' d >d.exit
	"$DTRACE" -q -x bufsize=64k -x switchrate=10ms -s d.exit \
		-c "$WORKLOAD -t 4 getppid:100000000" >out 2>err
	check
done | sort | uniq -c | awk '{ $1 = ""; print }'
