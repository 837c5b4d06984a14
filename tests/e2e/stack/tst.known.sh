# timeout: 60
# Stacks that have been seen are not unwound again, and are the same as those
# that are: of two ways into the kernel, at entry and return, while others come
# and go.
[ "$(uname -m)" = x86_64 ] || { echo "only x86-64 has two ways"; exit 77; }
n=$(times 3000)
"$DTRACE" -q -n '
	syscall::getppid:entry, syscall::getppid:return /pid == $target/ {
		@[probename, stack()] = count();
		@two[probename, stack(2)] = count();
		@sum[probename, stackdepth, caller] = count();
		@deep[probename, stack(100)] = count();
	}
	END {
		printa("all %s %k %@d\n", @); printa("two %s %k %@d\n", @two);
		printa("sum %s %d %a %@d\n", @sum); printa("deep %s %k %@d\n", @deep);
	}' -c "$WORKLOAD -t 2 getppid:$n getppid32:$n getppid:$n getppid32:$n" >out &
pid=$!
for i in 1 2 3; do
	"$DTRACE" -q -n 'syscall:::entry, syscall:::return { @ = count(); } tick-50ms { exit(0); }' >/dev/null
done
wait $pid
awk -v n=$((4 * n)) '$1 ~ /^(all|two|sum|deep)$/ { kind = $1; keys[kind]++ }
	$NF == n { exact[kind]++ } END { for (k in keys) print k, keys[k], exact[k] }' out | sort
awk '/^[a-z]/ { kind = $1; $1 = "" } NF { print >kind }' out
diff all deep
