# timeout: 60
# Two, five and twenty traces at once, each right, and each sees the others'
# commands as anybody's.
n=$(times 20000)
bpf_before
for traces in 2 5 20; do
	rm -f out.* err.*
	pids=()
	for ((i = 0; i < traces; i++)); do
		"$DTRACE" -q -n "
			syscall::getppid:entry
			/pid == \$target/
			{
				self->n++;
				@[execname, self->n & 1] = count();
				@plain = count();
			}
			syscall::close:entry
			/pid == \$target && (int)arg0 == -1/
			{
				printf(\"closed %d\\n\", self->n);
				self->n = 0;
			}
			tick-50ms, END { printa(@); trunc(@); }" \
			-c "$WORKLOAD getppid:$((n + i)) close:1" >out.$i 2>err.$i &
		pids+=($!)
	done
	failed=0
	for pid in ${pids[@]}; do wait $pid || failed=$((failed + 1)); done
	cat err.*
	right=0
	for ((i = 0; i < traces; i++)); do
		awk -v n=$((n + i)) '
			/closed/ { closed += $2; next }
			NF == 3 { keyed += $3 }
			NF == 1 { plain = $1 }
			END { exit !(closed == n && keyed == n && plain == n) }' out.$i &&
			right=$((right + 1)) || tail -n 20 out.$i
	done
	echo "$traces traces, $failed failed, $right right"
done
bpf_after
