# timeout: 120
# Sizes beyond the machine are lowered, and that is said; what was asked for and
# can be had is not mentioned.
run() {
	"$DTRACE" -q "$@" -n 'BEGIN { @[1] = count(); x["a"] = 1;
		printf("ran\n"); exit(0); }' 2>&1 | sed '/^$/d;/^ *1 *1$/d'
}
for x in bufsize aggsize dynvarsize; do
	run -x $x=100t | sed -E 's/[0-9]+[kmg]?$/SIZE/'
done
run -x bufsize=8k -x aggsize=8k -x dynvarsize=8k
run -x bufsize=100t -x quietresize
for x in bufsize aggsize dynvarsize; do
	run -x $x=100t -x bufresize=manual | sed -E 's/[0-9]+[kmg]? can/SIZE can/'
done
run -x bufsize=8k -x aggsize=8k -x bufresize=manual
# The size that is named is one that can be had, and twice as much cannot.
size=$(run -x bufsize=100t | sed -n 's/.*lowered to //p')
run -x bufsize="$size" -x bufresize=manual
run -x bufsize=$((2 * ${size%?}))"${size: -1}" -x bufresize=manual |
	sed "s/$size/SIZE/"
