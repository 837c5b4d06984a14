# timeout: 60
# Stacks that have been seen are not unwound again, and are the same as those
# that are: of two ways into the kernel, at entry and return, while others come
# and go.
[ "$(uname -m)" = x86_64 ] || { echo "only x86-64 has two ways"; exit 77; }
n=$(times 3000)
# One way, taken twice, where the kernel takes no 32-bit calls.
second=getppid32 ways=2
(with_32_bit_calls) >/dev/null || second=getppid ways=1
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
	}' -c "$WORKLOAD -t 2 getppid:$n $second:$n getppid:$n $second:$n" >out &
pid=$!
for i in 1 2 3; do
	"$DTRACE" -q -n 'syscall:::entry, syscall:::return { @ = count(); } tick-50ms { exit(0); }' >/dev/null
done
wait $pid
# Whole stacks, by the way into the kernel; what shorter ones and the sums must be
# follows from them: kernels differ in where the two ways meet.
awk -v n=$((8 / ways * n)) -v ways=$ways '$1 ~ /^(all|deep)$/ { kind = $1; keys[kind]++ }
	$1 ~ /^(two|sum)$/ { kind = "" }
	kind && $NF == n { exact[kind]++ } END { for (k in keys) print k, keys[k] / ways, exact[k] / ways }' out | sort
awk '/^[a-z]/ { kind = $1; $1 = "" } NF { print >kind }' out
diff all deep
# PROBE FRAME ... COUNT, a line each
flat() { awk '$1 ~ /^(entry|return)$/ { printf "%s", $1; next }
	NF { printf " %s", $1 } / [0-9]+$/ && NF == 1 { print "" }' "$1"; }
flat all | awk '{ two[$1 " " $2 " " $3] += $NF; sum[$1 " " NF - 2 " " $3] += $NF }
	END { for (k in two) print k, two[k] >"two.wanted"
	for (k in sum) print k, sum[k] >"sum.wanted" }'
sort two.wanted >wanted; flat two | sort | diff wanted - && echo two
sort sum.wanted >wanted; sed 's/^ //' sum | sort | diff wanted - && echo sum
