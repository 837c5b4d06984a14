# timeout: 120
# Four threads, a million calls each: every way of counting them gives all of
# them.
n=$(times 1000000)
count() {	# NAME ACTIONS [OPTION...]
	local name=$1 actions=$2
	shift 2
	"$DTRACE" -q "$@" -n "syscall::getppid:entry /pid == \$target/ { $actions }" \
		-c "$WORKLOAD -t 4 getppid:$n" >out
	awk -v name="$name" -v n=$n '
		NF { keys[$0 - $NF] = 1; sum += $NF; rows++ }
		END { print name, sum / n, rows }' out
}
count plain '@ = count();'
count keys '@[self->i++ % 200, tid] = count();'
count strings '@[execname, probefunc, self->i++ & 1 ? "odd" : "even"] = count();'
"$DTRACE" -q -n '
	syscall::getppid:entry
	/pid == $target/
	{
		@a = count(); @b = sum(1); @c = quantize(1);
		@ka[tid] = count(); @kb[tid] = sum(1); @kc[tid] = quantize(1);
	}
	END
	{
		printa("count %@d\n", @a); printa("sum %@d\n", @b);
		printa("quantize %@d\n", @c); printa("count %d %@d\n", @ka);
		printa("sum %d %@d\n", @kb); printa("quantize %d %@d\n", @kc);
	}' -c "$WORKLOAD -t 4 getppid:$n" >out
awk -v n=$n '
	/^(count|sum)/ { sum[$1] += $NF }
	$1 == 1 { sum["quantize"] += $NF }
	END { print sum["count"] / n, sum["sum"] / n, sum["quantize"] / n }' out
