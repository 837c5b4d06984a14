# needs: gcc
# timeout: 60
# What a program computes and how it lays out its types is as in C: random
# programs in both languages print the same.
run() {
	"$DTRACE" -s random.d >d.out 2>said
	local status=$?
	# A random program may well write !a & b; gcc -w does not mind either.
	grep -v 'warning: .*! is done before &' said >&2
	return $status
}
compare() {	# arith|layout|memory SEED
	python3 "$HERE/../support/likec.py" $1 $2 &&
	gcc -w -fwrapv -O0 -o random random.c && ./random >c.out &&
	run &&
	diff c.out <(grep . d.out) >differences && return
	echo "$1 with seed $2 differs"
	head -5 differences
}
n=$(times 2)
for ((i = 0; i < n; i++)); do
	compare arith $((SOAK ? RANDOM : i))
	compare layout $((SOAK ? RANDOM : i))
	compare memory $((SOAK ? RANDOM : i))
done
