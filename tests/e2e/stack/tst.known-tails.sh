# timeout: 60
# Behind the frames of a stack that has been seen before there are zeros, whatever
# the memory of the key held: else each firing here had an element of its own, and
# there is no room for so many.
[ "$(uname -m)" = x86_64 ] || { echo "only x86-64 has two ways"; exit 77; }
i='(int64_t)(n % 400)'
"$DTRACE" -q -x aggsize=64k -n '
	syscall::getppid:entry /pid == $target/ {
		n++;
		@before['"$i, $i, $i, $i, $i, $i, $i, $i, $i"'] = count();
		@after[stack(120)] = count();
	}
	END { printa("%@d %k", @after); }' \
	-c "$WORKLOAD getppid:2000" 2>err >out
cat err
awk '/^[0-9]/ { keys++; n += $1 } END { print keys, n }' out
