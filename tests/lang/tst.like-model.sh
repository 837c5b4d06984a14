# timeout: 60
# What programs with strings, tables, variables of threads and aggregations print is what
# a model in Python says.
n=$(times 20)
for ((i = 0; i < n; i++)); do
	seed=$((SOAK ? RANDOM : i))
	python3 "$HERE/../support/liked.py" $seed
	"$DTRACE" -s random.d >d.out 2>d.err
	diff <(grep . random.out) <(grep . d.out) >differences || {
		echo "seed $seed differs"
		head -5 differences
	}
	! grep -v 'divide-by-zero\|is cut to' d.err
done
